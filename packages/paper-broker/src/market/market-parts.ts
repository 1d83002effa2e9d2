import { timeFrameIds } from "@proj/trading-client/wire";
import { createAccount } from "../engine/account.ts";
import { Engine } from "../engine/engine.ts";
import { MarketStore } from "../state/market-store.ts";
import { restoreBook } from "../state/restore-book.ts";
import { CandleBook } from "./candle-book.ts";
import { createInstrument, type Instrument } from "./instrument.ts";
import { describeSettings, type MarketSettings } from "./market-options.ts";
import { describePriceSource, openPriceSource, type PriceSource } from "./price-source.ts";
import { tradingDayAt } from "./trading-day.ts";
import { TradingHours } from "./trading-hours.ts";

/** What a market is made of. */
export interface MarketParts {
  readonly instruments: readonly Instrument[];
  readonly hours: TradingHours;
  readonly store: MarketStore;
  readonly source: PriceSource;
  readonly candles: CandleBook;
  readonly engine: Engine;
}

/**
 * Opens the state and makes everything else as it was left.
 * @throws TypeError StateError PriceFileError
 */
export function openParts(settings: MarketSettings): MarketParts {
  const instruments = settings.instruments.map(createInstrument);
  const accounts = settings.accounts.map(createAccount);
  const hours = new TradingHours(settings.hours);
  const store = new MarketStore(
    settings.state_file,
    describePriceSource(settings.prices, instruments),
  );
  let source: PriceSource | null = null;
  try {
    const saved = store.load();
    const parts = { instruments, hours, start: Date.now() };
    source = openPriceSource(settings.prices, parts, saved?.position ?? null);
    const now = saved?.now ?? source.next?.time ?? parts.start;
    const closed = saved === null ? [] : store.closedSince(tradingDayAt(now).start);
    const engine = new Engine({
      instruments,
      hours,
      limits: settings.limits,
      content: restoreBook(accounts, instruments, saved, closed),
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
