/** What became of an unanswered request. */
export interface Reconciliation {
  /**
   * - `executed`: the tables show what it did
   * - `not_executed`: the tables show no trace of it, and it can no longer be executed
   * - `unknown`: the state before it is unknown, or the tables show more matching orders than it can have placed
   * - `repeatable`: it sets values, so setting them again changes nothing: send it again
   */
  readonly outcome: "executed" | "not_executed" | "unknown" | "repeatable";
  /** The orders it placed or, if the outcome is unknown, may have placed. */
  readonly orderIds: readonly string[];
  /** The trades that these orders opened or closed. */
  readonly tradeIds: readonly string[];
}
