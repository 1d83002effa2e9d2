import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Registry } from "prom-client";
import { exposeValue } from "./series.ts";

const resolutionMs = 20;

export interface EventLoopLag {
  /** Ends the time that the gauges are about. Call it before each scrape. */
  update(): void;
  close(): void;
}

const statistics = { p50: "median", p99: "99th percentile", max: "longest" };

/** Measures how late the event loop runs a timer; the timer itself is native and runs no JavaScript. */
export function createEventLoopLag(registry: Registry): EventLoopLag {
  let lag: Readonly<Record<string, number>> = {};
  for (const [statistic, words] of Object.entries(statistics)) {
    const name = `gateway_event_loop_lag_${statistic}_seconds`;
    const help = `Lag of the event loop since the previous scrape: ${words}.`;
    exposeValue(registry, "gauge", { name, help }, () => lag[statistic] ?? null);
  }
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  // Node measures from one timer to the next, which includes the timer's own interval.
  const lagSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3);
  return {
    update: () => {
      const [p50, p99] = [lagSeconds(delay.percentile(50)), lagSeconds(delay.percentile(99))];
      lag = { p50, p99, max: lagSeconds(delay.max) };
      delay.reset();
    },
    close: () => {
      delay.disable();
    },
  };
}
