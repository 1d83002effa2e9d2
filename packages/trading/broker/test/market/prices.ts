import { createInstrument, type Instrument } from "../../src/instruments/instrument.ts";
import { defaultInstruments } from "../../src/instruments/instrument-config.ts";
import type { Tick } from "../../src/instruments/tick.ts";
import { type MarketHoursByType, TradingHours } from "../../src/instruments/trading-hours.ts";
import { openPriceSource, type PriceSourceConfig } from "../../src/market/open-price-source.ts";
import type { PriceSource } from "../../src/market/price-source.ts";

export const instruments: readonly Instrument[] = defaultInstruments.map(createInstrument);

export function openPrices(
  config: PriceSourceConfig,
  options: { readonly hours?: MarketHoursByType; readonly position?: unknown } = {},
): PriceSource {
  const hours = new TradingHours(options.hours ?? null);
  const start = Date.parse("2026-01-12T00:00:00Z");
  return openPriceSource(config, { instruments, hours, start }, options.position ?? null);
}

/** The next prices, up to `most`. */
export function take(source: PriceSource, most: number): readonly Tick[] {
  const ticks: Tick[] = [];
  for (let { next } = source; next !== null && ticks.length < most; { next } = source) {
    ticks.push(next);
    source.advance();
  }
  return ticks;
}
