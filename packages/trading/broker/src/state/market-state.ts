import type { TimeFrame } from "@proj/trading-client/wire";
import type { Account } from "../engine/account.ts";
import type { Counters, EquityPoint } from "../engine/book.ts";
import type { Order } from "../engine/order.ts";
import type { ClosedPosition } from "../engine/position.ts";
import type { Quote } from "../engine/quote.ts";
import type { Transaction } from "../engine/transactions.ts";
import type { Candle } from "../instruments/candle.ts";
import type { AccountRow, PositionRow } from "./schema.ts";

/** A candle with its symbol and time frame. */
export interface StoredCandle {
  readonly symbol: string;
  readonly frame: TimeFrame;
  readonly candle: Candle;
}

/** The contents of a commit: everything that has changed since the last one. */
export interface MarketChanges {
  readonly now: number;
  /** JSON. */
  readonly position: unknown;
  readonly book: BookChanges;
  readonly candles: readonly StoredCandle[];
}

/** The changes of the engine's records. */
export interface BookChanges {
  readonly counters: Counters;
  readonly accounts: readonly Account[];
  readonly quotes: readonly Quote[];
  readonly orders: readonly Order[];
  readonly removedOrders: readonly number[];
  readonly positions: readonly PositionRow[];
  readonly removedPositions: readonly number[];
  readonly closedPositions: readonly ClosedPosition[];
  readonly equityPoints: readonly EquityPoint[];
  readonly transactions: readonly Transaction[];
}

/** The state from which a market resumes. */
export interface SavedMarket {
  readonly now: number;
  readonly position: unknown;
  readonly counters: Counters;
  readonly accounts: readonly AccountRow[];
  readonly quotes: readonly Quote[];
  readonly orders: readonly Order[];
  readonly positions: readonly PositionRow[];
}
