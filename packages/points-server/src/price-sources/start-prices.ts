import { setTimeout as sleep } from "node:timers/promises";
import type { PriceEvent } from "../events/event.ts";
import type { PointsStore } from "../points-store.ts";
import type { PriceSource, SourcedPrice } from "./price-source.ts";

export interface PricesOptions {
  /** In the order of preference: what one does not have, or has only stale, is taken from the next. */
  readonly sources: readonly PriceSource[];
  /** Seconds between two questions. @default 10 */
  readonly interval_s?: number | undefined;
  /** Seconds after which a price is stale and not taken. @default 60 */
  readonly stale_s?: number | undefined;
  /** The largest confidence interval, as a part of the price. @default 0.02 */
  readonly max_confidence?: number | undefined;
  /** After each round: the tokens whose prices were taken, and where each came from. */
  readonly onPrices?: ((taken: ReadonlyMap<string, string>) => void) | undefined;
  /** A source failed; the next one is asked. */
  readonly onError?: ((error: unknown, source: string) => void) | undefined;
}

export interface PriceSchedule {
  /** Ends the question that is under way, and closes the sources. */
  stop(): Promise<void>;
}

/** Takes prices from their sources into the store, beginning at once. */
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
      stopped.abort(new Error("prices are no longer asked for"));
      return running;
    },
  };
}

/** What was published once is stored once, however often it is read. */
const idOf = (source: string, { token, time }: Pick<SourcedPrice, "token" | "time">): string =>
  `${source}:${token}:${time}`;
