import { tradingDayAt } from "../instruments/trading-day.ts";
import type { MarketParts } from "./market-parts.ts";

/** Milliseconds between drawn moments: several in each minute's candle. */
const intervalMs = 20_000;

/**
 * Draws candles until the trading day of a time, and prices of that day, more coarsely than the market goes on. Does
 * nothing for prices that can only be drawn one by one.
 */
export function drawHistory({ source, candles, engine }: MarketParts, until: number): void {
  if (source.setInterval === undefined) return;
  source.setInterval(intervalMs);
  const { start } = tradingDayAt(until);
  for (let { next } = source; next !== null && next.time <= until; { next } = source) {
    candles.tick(next);
    // The Offer table shows the day's range.
    if (next.time >= start) engine.tick(next);
    source.advance();
  }
  source.setInterval(null);
}
