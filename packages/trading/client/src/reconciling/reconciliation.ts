/** An order that an unanswered request placed or, if the outcome is unknown, may have placed. */
export interface ReconciledOrder {
  readonly orderId: string;
  /** The trades that it opened or closed. */
  readonly tradeIds: readonly string[];
  /** Filled thousands; null: the server does not tell. */
  readonly amount: number | null;
  /** Average rate of the fill; null: nothing was filled, or it is unknown. */
  readonly rate: number | null;
  /** Profit or loss of what it closed, without swaps and commission; null: it closed nothing, or it is unknown. */
  readonly grossPL: number | null;
}

/** What became of an unanswered request. */
export interface Reconciliation {
  /**
   * - `executed`: its orders are known
   * - `not_executed`: it did nothing, and it can no longer do anything: it is safe to send again
   * - `unknown`: another request or somebody else's order could be taken for it, or the tables may have forgotten
   *   what it did. With `isOnlyTrader`, nobody else's order is expected
   * - `repeatable`: it sets values, so setting them again changes nothing: send it again
   */
  readonly outcome: "executed" | "not_executed" | "unknown" | "repeatable";
  /** The orders it placed or, if the outcome is unknown, may have placed. */
  readonly orders: readonly ReconciledOrder[];
  /** Their ids. */
  readonly orderIds: readonly string[];
  /** The trades that these orders opened or closed. */
  readonly tradeIds: readonly string[];
}

export function reconciled(
  outcome: Reconciliation["outcome"],
  orders: readonly ReconciledOrder[],
): Reconciliation {
  return {
    ...{ outcome, orders },
    orderIds: orders.map(({ orderId }) => orderId),
    tradeIds: [...new Set(orders.flatMap(({ tradeIds }) => tradeIds))],
  };
}
