import {
  hermesSource,
  jupiterSource,
  type LogEntry,
  type PointsSettings,
  type PointsStore,
  type PriceSchedule,
  startPrices,
} from "@proj/points-server";

const openers = { hermes: hermesSource, jupiter: jupiterSource };

type PriceSettings = Pick<PointsSettings, "price_sources" | "price_interval_s" | "price_stale_s">;

/** Starts fetching prices from the sources in the settings; null if there are none. */
export function followPrices(
  store: PointsStore,
  { price_sources, price_interval_s, price_stale_s }: PriceSettings,
  log: (entry: LogEntry) => void,
): PriceSchedule | null {
  if (price_sources.length === 0) return null;
  return startPrices(store, {
    sources: price_sources.map(({ kind, ...options }) => openers[kind](options)),
    ...{ interval_s: price_interval_s, stale_s: price_stale_s },
    onError: (error, source) =>
      log({ level: "warn", event: "prices_failed", source, error: String(error) }),
  });
}
