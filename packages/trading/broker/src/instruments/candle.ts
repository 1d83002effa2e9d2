import type { CandleRow } from "@proj/trading-client/wire";
import type { Tick } from "./tick.ts";

/** A candle in points. */
export interface Candle {
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly bidOpen: number;
  readonly bidClose: number;
  readonly bidHigh: number;
  readonly bidLow: number;
  readonly askOpen: number;
  readonly askClose: number;
  readonly askHigh: number;
  readonly askLow: number;
  readonly tickQty: number;
}

export function candleOfTick(start: number, { bid, ask, changes = 1 }: Tick): Candle {
  return {
    start,
    bidOpen: bid,
    bidClose: bid,
    bidHigh: bid,
    bidLow: bid,
    askOpen: ask,
    askClose: ask,
    askHigh: ask,
    askLow: ask,
    tickQty: changes,
  };
}

/** Joins a candle and the `next` one. */
export function joinCandles(candle: Candle, next: Candle): Candle {
  return {
    start: candle.start,
    bidOpen: candle.bidOpen,
    bidClose: next.bidClose,
    bidHigh: Math.max(candle.bidHigh, next.bidHigh),
    bidLow: Math.min(candle.bidLow, next.bidLow),
    askOpen: candle.askOpen,
    askClose: next.askClose,
    askHigh: Math.max(candle.askHigh, next.askHigh),
    askLow: Math.min(candle.askLow, next.askLow),
    tickQty: candle.tickQty + next.tickQty,
  };
}

/** @param scale points in a rate of 1 */
export function candleRow(candle: Candle, scale: number): CandleRow {
  return [
    Math.floor(candle.start / 1000),
    candle.bidOpen / scale,
    candle.bidClose / scale,
    candle.bidHigh / scale,
    candle.bidLow / scale,
    candle.askOpen / scale,
    candle.askClose / scale,
    candle.askHigh / scale,
    candle.askLow / scale,
    candle.tickQty,
  ];
}
