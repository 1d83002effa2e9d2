import { timeFrameIds } from "@proj/trading-client/wire";
import { createAccount } from "../engine/account.ts";
import { type Counters, firstCounters, timeBasedCounters } from "../engine/book.ts";
import { Engine } from "../engine/engine.ts";
import { FillModel } from "../engine/fill-model.ts";
import { createInstrument, type Instrument } from "../instruments/instrument.ts";
import { tradingDayAt } from "../instruments/trading-day.ts";
import { TradingHours } from "../instruments/trading-hours.ts";
import { MarketStore } from "../state/market-store.ts";
import { restoreBook } from "../state/restore-book.ts";
import { CandleBook } from "./candle-book.ts";
import { describeSettings, type MarketSettings } from "./market-options.ts";
import { describePriceSource, openPriceSource } from "./open-price-source.ts";
import type { PriceSource } from "./price-source.ts";

/** The parts of a market. */
export interface MarketParts {
  readonly instruments: readonly Instrument[];
  readonly hours: TradingHours;
  readonly store: MarketStore;
  readonly source: PriceSource;
  readonly candles: CandleBook;
  readonly engine: Engine;
}

/** A market with a fixed beginning repeats its ids in each run; any other never reuses an id. */
function countersOf({ prices }: MarketSettings): Counters {
  const isRepeatable = prices.type === "csv" || prices.start !== undefined;
  return isRepeatable ? firstCounters() : timeBasedCounters(Date.now());
}

/**
 * Opens the state and restores everything else from it.
 * @param start for prices without a fixed beginning: milliseconds since the epoch
 * @throws TypeError StateError PriceFileError
 */
export function openParts(settings: MarketSettings, start: number): MarketParts {
  const fills = new FillModel(settings.fill_model);
  const instruments = settings.instruments
    .map(createInstrument)
    .map((instrument) => fills.withDepth(instrument));
  const accounts = settings.accounts.map(createAccount);
  const hours = new TradingHours(settings.hours);
  const store = new MarketStore(
    settings.state_file,
    describePriceSource(settings.prices, instruments),
  );
  let source: PriceSource | null = null;
  try {
    const saved = store.load();
    const parts = { instruments, hours, start };
    source = openPriceSource(settings.prices, parts, saved?.position ?? null);
    const now = saved?.now ?? source.next?.time ?? parts.start;
    const closed = saved === null ? [] : store.closedSince(tradingDayAt(now).start);
    const engine = new Engine({
      instruments,
      hours,
      limits: settings.limits,
      fills,
      content: restoreBook(accounts, instruments, saved, closed, countersOf(settings)),
      now,
      properties: describeSettings(settings),
    });
    const candles = new CandleBook(
      instruments.flatMap(({ symbol }) => store.lastCandles(symbol, timeFrameIds)),
    );
    return { instruments, hours, store, source, candles, engine };
  } catch (error) {
    source?.close();
    store.close();
    throw error;
  }
}
