import type { Instrument } from "../instruments/instrument.ts";
import { type TradingDay, tradingDayAt } from "../instruments/trading-day.ts";
import type { TradingHours } from "../instruments/trading-hours.ts";
import type { Account } from "./account.ts";
import type { Book } from "./book.ts";
import type { ConversionRate } from "./conversion.ts";
import { Conversions } from "./conversions.ts";
import type { FillModel } from "./fill-model.ts";
import type { Quote } from "./quote.ts";
import type { Tables } from "./tables/tables.ts";

/** Limits of an account. */
export interface Limits {
  readonly orders: number;
  readonly positions: number;
  /** Most closed positions in the table, over all accounts; the oldest are dropped first. */
  readonly closedPositions: number;
}

export interface DeskParts {
  readonly instruments: readonly Instrument[];
  readonly hours: TradingHours;
  readonly limits: Limits;
  readonly fills: FillModel;
  readonly book: Book;
  readonly tables: Tables;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Market milliseconds between two points of an equity curve. */
const equityStepMs = 5 * 60_000;

/** The first equity-curve point after this time. */
export function nextEquityPoint(time: number): number {
  return (Math.floor(time / equityStepMs) + 1) * equityStepMs;
}

/** The shared state that the engine's rules work on. */
export class Desk {
  readonly instruments: ReadonlyMap<string, Instrument>;
  readonly hours: TradingHours;
  readonly limits: Limits;
  readonly fills: FillModel;
  readonly book: Book;
  readonly tables: Tables;
  now: number;
  day: TradingDay;
  /** When the next order expires, or earlier. */
  nextExpiry: number = Number.POSITIVE_INFINITY;
  /** When the next order on its way is executed, or earlier. */
  nextDue: number = Number.POSITIVE_INFINITY;
  /** When the equity curves get their next point. */
  nextEquityPoint: number;
  /** When the next market opens or closes, or earlier. */
  nextHoursChange: number;
  /** When trading ends in symbols without further prices. */
  readonly priceEnds: Map<string, number> = new Map();
  readonly #conversions: Conversions;

  /** @throws TypeError no instruments convert a profit to an account's currency */
  constructor(parts: DeskParts) {
    const { instruments } = parts;
    this.instruments = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
    this.hours = parts.hours;
    this.limits = parts.limits;
    this.fills = parts.fills;
    this.book = parts.book;
    this.tables = parts.tables;
    this.now = parts.now;
    this.day = tradingDayAt(parts.now);
    this.nextHoursChange = parts.now;
    this.nextEquityPoint = nextEquityPoint(parts.now);
    const currencies = [...parts.book.accounts.values()].map(({ currency }) => currency);
    this.#conversions = new Conversions(instruments, currencies, parts.book.quotes);
  }

  /** The instrument of a record in the book, so it must exist. */
  instrument(symbol: string): Instrument {
    return existing(this.instruments.get(symbol), symbol);
  }

  quote(symbol: string): Quote {
    return existing(this.book.quotes.get(symbol), symbol);
  }

  account(accountId: string): Account {
    return existing(this.book.accounts.get(accountId), accountId);
  }

  /** The currency of the Summary table and the market: the accounts' currency, or dollars if they differ. */
  get currency(): string {
    return this.#conversions.currency;
  }

  /** From a symbol's quote currency; null if a converting instrument has no price yet. */
  conversionRate(symbol: string, currency: string): ConversionRate | null {
    return this.#conversions.rate(this.instrument(symbol).quote, currency);
  }

  /** Between dollars, account currencies and the market's currency. */
  moneyRate(from: string, to: string): ConversionRate | null {
    return this.#conversions.rate(from, to);
  }

  /** The other symbols whose profit changes in value when this symbol's price changes. */
  convertedBy(symbol: string): readonly string[] {
    return this.#conversions.convertedBy(symbol);
  }

  /** The currencies in which a dollar changes in value when this symbol's price changes. */
  currenciesMovedBy(symbol: string): readonly string[] {
    return this.#conversions.currenciesMovedBy(symbol);
  }

  isOpen(instrument: Instrument): boolean {
    const end = this.priceEnds.get(instrument.symbol) ?? Number.POSITIVE_INFINITY;
    return this.now < end && this.hours.isOpen(instrument.instrumentType, this.now);
  }
}

function existing<Value>(value: Value | undefined, key: string): Value {
  if (value === undefined) throw new Error(`The book has ${key}, which is not configured`);
  return value;
}
