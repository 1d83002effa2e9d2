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
  readonly orderIds: readonly string[];
  /** The trades that these orders opened or closed. */
  readonly tradeIds: readonly string[];
}
