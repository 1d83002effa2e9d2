import { Temporal } from "temporal-polyfill";

/** The prices of an instrument in a span of time. */
export interface Candle {
  /** When it began. */
  readonly time: Temporal.Instant;
  readonly bidOpen: number;
  readonly bidClose: number;
  readonly bidHigh: number;
  readonly bidLow: number;
  readonly askOpen: number;
  readonly askClose: number;
  readonly askHigh: number;
  readonly askLow: number;
  /** Number of prices in it. */
  readonly tickQty: number;
}

/** @throws TypeError it is not a CandleRow */
export function readCandle(row: unknown): Candle {
  if (!Array.isArray(row) || row.length < 10 || !row.every((value) => typeof value === "number")) {
    throw new TypeError(`this is not a candle: ${JSON.stringify(row)}`);
  }
  const [time = 0, bidOpen = 0, bidClose = 0, bidHigh = 0, bidLow = 0, ...rest]: number[] = row;
  const [askOpen = 0, askClose = 0, askHigh = 0, askLow = 0, tickQty = 0] = rest;
  return {
    time: Temporal.Instant.fromEpochMilliseconds(time * 1_000),
    bidOpen,
    bidClose,
    bidHigh,
    bidLow,
    askOpen,
    askClose,
    askHigh,
    askLow,
    tickQty,
  };
}
