import { setTimeout as sleep } from "node:timers/promises";
import type { PriceEvent } from "../events/event.ts";
import type { PointsStore } from "../points-store.ts";
import type { PriceSource, SourcedPrice } from "./price-source.ts";

export interface PricesOptions {
  /** In order of preference: a price that one lacks, or has only stale, is taken from the next. */
  readonly sources: readonly PriceSource[];
  /** Seconds between two rounds of requests. @default 10 */
  readonly interval_s?: number | undefined;
  /** Age in seconds above which a price is ignored. @default 60 */
  readonly stale_s?: number | undefined;
  /** The largest accepted confidence interval, as a fraction of the price. @default 0.02 */
  readonly max_confidence?: number | undefined;
  /** Called after each round: the tokens whose prices were stored, and each price's source. */
  readonly onPrices?: ((taken: ReadonlyMap<string, string>) => void) | undefined;
  /** Called when a source fails; the next one is asked. */
  readonly onError?: ((error: unknown, source: string) => void) | undefined;
}

export interface PriceSchedule {
  /** Aborts the pending request, and closes the sources. */
  stop(): Promise<void>;
}

/** Copies prices from the sources into the store, now and at each interval. */
export function startPrices(
  store: Pick<PointsStore, "ingest">,
  { sources, interval_s = 10, stale_s = 60, max_confidence = 0.02, ...told }: PricesOptions,
): PriceSchedule {
  const stopped = new AbortController();
  const { signal } = stopped;
  const isUsable = ({ time, confidence }: SourcedPrice): boolean =>
    Date.now() / 1000 - time <= stale_s && (confidence ?? 0) <= max_confidence;

  const round = async (): Promise<void> => {
    const events: PriceEvent[] = [];
    const taken = new Map<string, string>();
    for (const source of sources) {
      try {
        for (const { confidence: _, ...price } of (await source.read(signal)).filter(isUsable)) {
          if (taken.has(price.token)) continue;
          taken.set(price.token, source.name);
          events.push({ type: "price", id: idOf(source.name, price), ...price });
        }
      } catch (error) {
        if (signal.aborted) return;
        told.onError?.(error, source.name);
      }
    }
    try {
      await store.ingest(events, { onError: "skip" });
      told.onPrices?.(taken);
    } catch (error) {
      told.onError?.(error, "storage");
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await round();
      await sleep(interval_s * 1000, undefined, { signal }).catch(() => {});
    }
    for (const source of sources) source.close();
  };
  const running = run();
  return {
    stop: () => {
      stopped.abort(new Error("prices are no longer fetched"));
      return running;
    },
  };
}

/** A price has the same id however often it is read, so it is stored once. */
const idOf = (source: string, { token, time }: Pick<SourcedPrice, "token" | "time">): string =>
  `${source}:${token}:${time}`;
