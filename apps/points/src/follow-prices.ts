import {
  hermesSource,
  jupiterSource,
  type LogEntry,
  type Operations,
  type PointsSettings,
  type PointsStore,
  type PriceSchedule,
  startPrices,
} from "@proj/points-server";

const openers = { hermes: hermesSource, jupiter: jupiterSource };

export type PriceSettings = Partial<
  Pick<PointsSettings, "price_sources" | "price_interval_s" | "price_stale_s">
>;

interface StoreOption {
  readonly store: PointsStore;
}

/** Starts fetching prices from the sources in the settings; null if there are none. */
export function followPrices(
  { store, price_sources = [], price_interval_s, price_stale_s }: PriceSettings & StoreOption,
  operations: Operations,
): PriceSchedule | null {
  if (price_sources.length === 0) return null;
  return startPrices(store, {
    sources: price_sources.map(({ kind, ...options }) => openers[kind](options)),
    ...{ interval_s: price_interval_s, stale_s: price_stale_s },
    ...operations.prices,
  });
}

const maxTokens = 10;

/** A line about prices for people; null: the entry is about something else. */
export function priceNews({ event, source, error, tokens }: LogEntry): string | null {
  if (event === "prices_failed") return `Prices from ${source} failed: ${error}`;
  if (event !== "prices_missing" || !Array.isArray(tokens)) return null;
  if (tokens.length === 0) return "Every token has a price again.";
  const more = tokens.length > maxTokens ? ` and ${tokens.length - maxTokens} more` : "";
  return `No usable price of ${tokens.slice(0, maxTokens).join(", ")}${more}.`;
}
