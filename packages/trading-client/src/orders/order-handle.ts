import type { OrderStatus } from "@proj/trading-protocol";
import type { CallOptions } from "../calls/call-options.ts";
import type { TableRow } from "../tables/table-row.ts";
import type { PlacedOrder } from "./order-requests.ts";

/** How an order ended. */
export interface OrderOutcome extends PlacedOrder {
  /** The trades that it opened or closed, in order. */
  readonly tradeIds: readonly string[];
  /**
   * These are all. False: pushes were missed while there was no connection, and the position tables
   * do not account for the whole amount (the order was canceled in part, say, or closed trades of
   * other orders, which the tables do not tell).
   */
  readonly isComplete: boolean;
  /** That its end was pushed with; null: its end was missed. */
  readonly status: OrderStatus | null;
}

/** How a closing ended. */
export interface ClosingOutcome extends OrderOutcome {
  /** Thousands that it closed. */
  readonly amount: number;
  /** The rate at which it closed them, on average; null: it closed nothing. */
  readonly rate: number | null;
  /** What they brought, in the account's currency, without swaps and commission. */
  readonly grossPL: number;
  /** The rows of what it closed. */
  readonly closed: readonly TableRow<"ClosedPosition">[];
}

/** An order that closes trades, which the server has accepted. */
export interface ClosingHandle extends PlacedOrder {
  /** Waits for the order's end, and reads what it closed. @throws as `ended` of an OrderHandle, and as a snapshot */
  ended(options?: CallOptions): Promise<ClosingOutcome>;
}

/** An order that the server has accepted. */
export interface OrderHandle extends PlacedOrder {
  /** Those that are known so far. */
  readonly tradeIds: readonly string[];
  /** Null: it has not ended yet. */
  readonly outcome: OrderOutcome | null;
  /**
   * Each trade id, from the first on, as it becomes known; ends when the order ends.
   * @throws NotConnectedError, when read: the client was closed before the order ended
   */
  trades(options?: { readonly signal?: AbortSignal }): AsyncIterableIterator<string>;
  /**
   * Waits for the order's end.
   * @param options `timeoutMs` is the client's by default for a market order, and none for an entry
   * order
   * @throws TimeoutError, NotConnectedError the client was closed, or the signal's reason
   */
  ended(options?: CallOptions): Promise<OrderOutcome>;
}
