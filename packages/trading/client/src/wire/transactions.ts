import type { OrderType } from "./order-codes.ts";

/**
 * - `order_placed`: `amountK` and `rate` are the order's
 * - `trade_opened`: a fill that opened `tradeId`
 * - `trade_closed`: a fill that closed `amountK` of a trade; `tradeId` is the closed row's
 * - `order_executed`, `order_canceled`: its end; `amountK` is what was filled of it, `rate` the average
 * - `swap`: `roll` was paid or received for a night
 */
export type TransactionType =
  | "order_placed"
  | "trade_opened"
  | "trade_closed"
  | "order_executed"
  | "order_canceled"
  | "swap";

export const transactionTypes: readonly [TransactionType, ...TransactionType[]] = [
  "order_placed",
  "trade_opened",
  "trade_closed",
  "order_executed",
  "order_canceled",
  "swap",
];

/**
 * What happened, in the order in which it happened: GET /trading/transactions, which is our own. It forgets
 * nothing. Money is in the account's currency.
 */
export interface TransactionRecord {
  /** Grows by one with each transaction of the server. */
  readonly id: number;
  readonly type: TransactionType;
  /** 17 digits. */
  readonly time: string;
  readonly accountId: string;
  readonly currency: string;
  /** The order; empty for a swap. */
  readonly orderId: string;
  /** Empty for a swap. */
  readonly orderType: OrderType | "";
  /** The trade; empty if it is about an order alone. */
  readonly tradeId: string;
  /** The order's side; for a swap the trade's. */
  readonly isBuy: boolean;
  /** Thousands. */
  readonly amountK: number;
  /** 0: none. */
  readonly rate: number;
  /** Profit or loss of `trade_closed`, without roll and commission; else 0. */
  readonly grossPL: number;
  /** Commission of this fill; 0 or negative. */
  readonly com: number;
  /** Of `swap`, else 0. */
  readonly roll: number;
  readonly client_tag: string;
}

/** Members next to the envelope in answers to GET /trading/transactions. */
export interface TransactionsAnswer {
  /** Oldest first. */
  readonly transactions: readonly TransactionRecord[];
  /** The id of the server's newest transaction; 0: none. */
  readonly last_id: number;
}

/** `data` in the answer to POST /trading/settle_request: what became of a request, for good. */
export interface SettledRequest {
  /** False: it placed nothing, and never will. */
  readonly executed: boolean;
  readonly orders: readonly {
    readonly orderId: string;
    /** The trades that it opened or closed. */
    readonly tradeIds: readonly string[];
    /** Filled thousands. */
    readonly filledK: number;
    /** Average rate; 0: nothing was filled. */
    readonly fillRate: number;
    /** Profit or loss of what it closed, without roll and commission; null: it closed nothing. */
    readonly grossPL: number | null;
  }[];
}

/** The parts beyond the interface that a server offers, in the property `extensions`, separated by spaces. */
export type Extension =
  | "client_tag"
  | "request_id"
  | "transactions"
  | "closed_positions"
  | "stop_and_limit"
  | "advance";

export const extensionsProperty = "extensions";
