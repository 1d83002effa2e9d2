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

/** How much an account may have. */
export interface Limits {
  readonly orders: number;
  readonly positions: number;
  /** Closed positions that the table shows of all accounts together; the oldest go first. */
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

/** The first time after this at which equity curves have a point. */
export function nextEquityPoint(time: number): number {
  return (Math.floor(time / equityStepMs) + 1) * equityStepMs;
}

/** What every rule of the engine works on. */
export class Desk {
  readonly instruments: ReadonlyMap<string, Instrument>;
  readonly hours: TradingHours;
  readonly limits: Limits;
  readonly fills: FillModel;
  readonly book: Book;
  readonly tables: Tables;
  now: number;
  day: TradingDay;
  /** When the first of the orders that expire does so, or earlier. */
  nextExpiry: number = Number.POSITIVE_INFINITY;
  /** When the first of the orders is executed that are on their way, or earlier. */
  nextDue: number = Number.POSITIVE_INFINITY;
  /** When the equity curves are told next. */
  nextEquityPoint: number;
  /** When a market opens or closes next, or earlier. */
  nextHoursChange: number;
  readonly #conversions: Conversions;

  /** @throws TypeError no instruments convert a profit to the currency of an account */
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

  /** Of a record of the book, which therefore exists. */
  instrument(symbol: string): Instrument {
    return existing(this.instruments.get(symbol), symbol);
  }

  quote(symbol: string): Quote {
    return existing(this.book.quotes.get(symbol), symbol);
  }

  account(accountId: string): Account {
    return existing(this.book.accounts.get(accountId), accountId);
  }

  /** What the Summary table and the whole market count in: the accounts' currency, or dollars where they differ. */
  get currency(): string {
    return this.#conversions.currency;
  }

  /** From the quote currency of a symbol; null where what converts has no price yet. */
  conversionRate(symbol: string, currency: string): ConversionRate | null {
    return this.#conversions.rate(this.instrument(symbol).quote, currency);
  }

  /** Between dollars and the currencies of accounts, and between those and that of the market. */
  moneyRate(from: string, to: string): ConversionRate | null {
    return this.#conversions.rate(from, to);
  }

  /** The other symbols whose profit is worth something else when this one's price changes. */
  convertedBy(symbol: string): readonly string[] {
    return this.#conversions.convertedBy(symbol);
  }

  /** The currencies in which a dollar is worth something else when this symbol's price changes. */
  currenciesMovedBy(symbol: string): readonly string[] {
    return this.#conversions.currenciesMovedBy(symbol);
  }

  isOpen(instrument: Instrument): boolean {
    return this.hours.isOpen(instrument.instrumentType, this.now);
  }
}

function existing<Value>(value: Value | undefined, key: string): Value {
  if (value === undefined) throw new Error(`The book names ${key}, which is not configured`);
  return value;
}
