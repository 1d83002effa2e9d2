import { monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";

const resolutionMs = 20;

export interface EventLoopLag {
  /** Sets the gauges to what was measured since the last call. */
  update(): void;
  close(): void;
}

/** Measures how late the event loop runs a timer; the timer itself is native and runs no JavaScript. */
export function createEventLoopLag(registry: Registry): EventLoopLag {
  const gauge = (statistic: string, words: string) =>
    new Gauge({
      name: `gateway_event_loop_lag_${statistic}_seconds`,
      help: `Lag of the event loop since the previous scrape: ${words}.`,
      registers: [registry],
    });
  const median = gauge("p50", "median");
  const p99 = gauge("p99", "99th percentile");
  const max = gauge("max", "longest");
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  // Node measures from one timer to the next, which includes the timer's own interval.
  const lagSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3);
  return {
    update: () => {
      median.set(lagSeconds(delay.percentile(50)));
      p99.set(lagSeconds(delay.percentile(99)));
      max.set(lagSeconds(delay.max));
      delay.reset();
    },
    close: () => {
      delay.disable();
    },
  };
}
