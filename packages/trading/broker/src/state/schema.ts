import type { TimeFrame } from "@proj/trading-client/wire";
import type { Account } from "../engine/account.ts";
import type { EquityPoint } from "../engine/book.ts";
import type { Order } from "../engine/order.ts";
import type { ClosedPosition, Position } from "../engine/position.ts";
import type { Quote } from "../engine/quote.ts";
import type { Transaction } from "../engine/transactions.ts";
import type { Candle } from "../instruments/candle.ts";

/** Version of the tables below. A file with another one was written by another version of this package. */
export const schemaVersion = 4;

/** Rates are points, amounts thousands, money cents, times milliseconds since the epoch. */
export interface StateTables {
  readonly market: MarketRow;
  readonly accounts: AccountRow;
  readonly quotes: QuoteRow;
  readonly orders: OrderRow;
  readonly positions: PositionRow;
  /** All positions ever closed. */
  readonly closed_positions: ClosedPosition;
  readonly equity_points: EquityPoint;
  readonly candles: CandleTableRow;
  readonly transactions: Transaction;
}

/** The table has one row. */
export interface MarketRow {
  readonly id: number;
  readonly schemaVersion: number;
  /** Market time. */
  readonly now: number;
  /** Describes the configured prices; other prices cannot resume from `position`. */
  readonly source: string;
  /** The price source's position, as JSON. */
  readonly position: string;
  readonly nextOrderId: number;
  readonly nextTradeId: number;
  readonly nextOcoBulkId: number;
  readonly nextTransactionId: number;
}

export type AccountRow = Pick<
  Account,
  | "accountId"
  | "currency"
  | "balance"
  | "dayStartEquity"
  | "marginCall"
  | "marginCallTime"
  | "credit"
  | "toldBalance"
  | "toldEquity"
>;

export type QuoteRow = Omit<Quote, "visible"> & { readonly visible: number };

/** `trades` is a JSON list. */
export type OrderRow = Omit<Order, "trades"> & { readonly trades: string };

export type PositionRow = Omit<
  Position,
  "close" | "grossPL" | "maintenanceMargin" | "entryMargin" | "liquidationMargin"
>;

export interface CandleTableRow extends Candle {
  readonly symbol: string;
  readonly frame: TimeFrame;
}

/** An example row per table: its columns in order; null marks nullable ones. */
export const emptyRows: StateTables = {
  market: {
    id: 1,
    schemaVersion,
    now: 0,
    source: "",
    position: "",
    nextOrderId: 0,
    nextTradeId: 0,
    nextOcoBulkId: 0,
    nextTransactionId: 0,
  },
  accounts: {
    accountId: "",
    currency: "",
    balance: 0,
    dayStartEquity: 0,
    marginCall: "N",
    marginCallTime: 0,
    credit: 0,
    toldBalance: 0,
    toldEquity: 0,
  },
  quotes: {
    symbol: "",
    bid: 0,
    ask: 0,
    time: 0,
    high: 0,
    low: 0,
    volume: 0,
    takenAsk: 0,
    takenBid: 0,
    takenTime: 0,
    visible: 0,
  },
  orders: {
    orderId: 0,
    accountId: "",
    symbol: "",
    kind: "open",
    side: 1,
    time: 0,
    timeInForce: "GTC",
    expires: 0,
    due: 0,
    trades: "",
    type: "OM",
    status: 0,
    amount: 0,
    lastTradeId: 0,
    rate: 0,
    range: null,
    stop: 0,
    stopPeg: 1,
    limit: 0,
    limitPeg: 1,
    trailingStep: 0,
    trailingFrom: 0,
    ocoBulkId: 0,
    filled: 0,
    filledValue: 0,
    clientTag: "",
    requestId: "",
    pipValue: 0,
  },
  positions: {
    tradeId: 0,
    orderId: 0,
    accountId: "",
    symbol: "",
    side: 1,
    open: 0,
    time: 0,
    clientTag: "",
    amount: 0,
    roll: 0,
    commission: 0,
    stopOrderId: 0,
    limitOrderId: 0,
  },
  closed_positions: {
    tradeId: 0,
    orderId: 0,
    accountId: "",
    symbol: "",
    side: 1,
    open: 0,
    close: 0,
    amount: 0,
    roll: 0,
    commission: 0,
    grossPL: 0,
    pipValue: 0,
    closeOrderId: 0,
    clientTag: "",
    closeClientTag: "",
    openTime: 0,
    closeTime: 0,
    valueDate: "",
  },
  equity_points: { accountId: "", time: 0, balance: 0, equity: 0 },
  candles: {
    symbol: "",
    frame: "m1",
    start: 0,
    bidOpen: 0,
    bidClose: 0,
    bidHigh: 0,
    bidLow: 0,
    askOpen: 0,
    askClose: 0,
    askHigh: 0,
    askLow: 0,
    tickQty: 0,
  },
  transactions: {
    id: 0,
    type: "swap",
    time: 0,
    accountId: "",
    symbol: "",
    orderId: 0,
    orderType: "",
    tradeId: 0,
    side: 1,
    amount: 0,
    rate: 0,
    grossPL: 0,
    commission: 0,
    roll: 0,
    clientTag: "",
    requestId: "",
  },
};
