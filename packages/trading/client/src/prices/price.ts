import { Temporal } from "temporal-polyfill";
import { isJsonObject } from "../reading/json-objects.ts";

/** The prices of an instrument at a moment. */
export interface Price {
  readonly symbol: string;
  /** The rate at which you can sell. */
  readonly bid: number;
  /** The rate at which you can buy. */
  readonly ask: number;
  /** The highest ask of the trading day. */
  readonly high: number;
  /** The lowest bid of the trading day. */
  readonly low: number;
  readonly time: Temporal.Instant;
}

/** As seconds this is in the year 5138, as milliseconds in 1973. */
const minMilliseconds = 1e11;

/** @throws TypeError it is not a PriceUpdate */
export function readPrice(update: unknown): Price {
  if (isJsonObject(update)) {
    const { Symbol: symbol, Updated: updated, Rates: rates } = update;
    if (typeof symbol === "string" && typeof updated === "number" && Array.isArray(rates)) {
      const [bid, ask, high, low]: unknown[] = rates;
      if (isRate(bid) && isRate(ask) && isRate(high) && isRate(low)) {
        // Older servers send seconds.
        const milliseconds = updated < minMilliseconds ? updated * 1_000 : updated;
        const time = Temporal.Instant.fromEpochMilliseconds(Math.round(milliseconds));
        return { symbol, bid, ask, high, low, time };
      }
    }
  }
  throw new TypeError(`This is not a price: ${JSON.stringify(update)}`);
}

function isRate(value: unknown): value is number {
  return typeof value === "number";
}
