import { setTimeout as sleep } from "node:timers/promises";
import type { PriceEvent } from "../events/event.ts";
import { maxEvents } from "../ingest/ingest-events.ts";
import type { PointsStore } from "../points-store.ts";
import { inGroups } from "../snapshots/in-groups.ts";
import type { PriceSource, SourcedPrice } from "./price-source.ts";

export interface PricesOptions {
  /** In order of preference: a source is only asked for prices that those before it lack, or have only stale. */
  readonly sources: readonly PriceSource[];
  /** Seconds between two rounds of requests. @default 10 */
  readonly interval_s?: number | undefined;
  /** Age in seconds above which a price is ignored. @default 60 */
  readonly stale_s?: number | undefined;
  /** The largest accepted confidence interval, as a fraction of the price. @default 0.02 */
  readonly max_confidence?: number | undefined;
  /**
   * Called after each round.
   * @param taken the source of each price that was stored, by token
   * @param missing the tokens that no source has a usable price of
   */
  readonly onPrices?:
    | ((taken: ReadonlyMap<string, string>, missing: readonly string[]) => void)
    | undefined;
  /** Called when a source fails, and the next one is asked; when a price is refused; when storage fails. */
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
  const tokens = new Set(sources.flatMap((source) => source.tokens));
  const isUsable = ({ time, confidence }: SourcedPrice): boolean =>
    Date.now() / 1000 - time <= stale_s && (confidence ?? 0) <= max_confidence;

  const round = async (): Promise<void> => {
    const events: PriceEvent[] = [];
    const taken = new Map<string, string>();
    for (const source of sources) {
      const asked = source.tokens.filter((token) => !taken.has(token));
      if (asked.length === 0) continue;
      try {
        for (const { confidence: _, ...price } of (await source.read(asked, signal)).filter(
          isUsable,
        )) {
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
      await put(events, taken);
      told.onPrices?.(
        taken,
        [...tokens].filter((token) => !taken.has(token)),
      );
    } catch (error) {
      told.onError?.(error, "storage");
    }
  };
  /** Stores the prices; one that the store refuses is no longer taken. */
  const put = async (events: readonly PriceEvent[], taken: Map<string, string>): Promise<void> => {
    for (const group of inGroups(events, maxEvents)) {
      const { errors } = await store.ingest(group, { onError: "skip" });
      for (const { line, message } of errors) {
        const { token = "" } = group[line - 1] ?? {};
        told.onError?.(new Error(`${token}: ${message}`), taken.get(token) ?? "");
        taken.delete(token);
      }
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
