import type { CallOptions } from "../calls/call-options.ts";
import type { TableRow } from "../tables/table-row.ts";
import type { OrderStatus } from "../wire/index.ts";
import type { PlacedOrder } from "./order-requests.ts";

/** How an order ended. */
export interface OrderOutcome extends PlacedOrder {
  /** The trades it opened or closed, in order. */
  readonly tradeIds: readonly string[];
  /**
   * Whether the list is complete. False: pushes were missed while disconnected, and the position tables do
   * not account for the whole amount (for example, the order was canceled in part, or it closed trades of
   * other orders, which the tables do not show).
   */
  readonly isComplete: boolean;
  /** The status pushed with its end; null: that push was missed. */
  readonly status: OrderStatus | null;
  /** Filled thousands, opened or closed; null: the server does not tell, or pushes were missed. */
  readonly amount: number | null;
  /** Average rate of the fill; null: nothing was filled, or it is unknown. */
  readonly rate: number | null;
}

/** How a closing order ended. A figure is null, and `isComplete` false, if the server no longer shows all that it closed. */
export interface ClosingOutcome extends OrderOutcome {
  /** Profit or loss in the account's currency, without swaps and commission; null: unknown. */
  readonly grossPL: number | null;
  /** The known rows of the closed positions. */
  readonly closed: readonly TableRow<"ClosedPosition">[];
}

/** An accepted order that closes trades. */
export interface ClosingHandle extends PlacedOrder {
  /** Waits for the order's end and reads what it closed. @throws like `OrderHandle.ended` and `snapshot` */
  ended(options?: CallOptions): Promise<ClosingOutcome>;
}

/** An accepted order. */
export interface OrderHandle extends PlacedOrder {
  /** The trades known so far. */
  readonly tradeIds: readonly string[];
  /** Null: it has not ended yet. */
  readonly outcome: OrderOutcome | null;
  /**
   * All trade ids, each as it becomes known; ends when the order ends.
   * @throws NotConnectedError when read: the client was closed before the order ended
   */
  trades(options?: { readonly signal?: AbortSignal }): AsyncIterableIterator<string>;
  /**
   * Waits for the order's end.
   * @param options `timeoutMs` defaults to the client's for a market order, and to none for an entry order
   * @throws TimeoutError; NotConnectedError: the client was closed; or the signal's reason
   */
  ended(options?: CallOptions): Promise<OrderOutcome>;
}
