/** What became of a request whose answer never came. */
export interface Reconciliation {
  /**
   * - `executed`: the tables show what it did
   * - `not_executed`: they show nothing of it, and it can no longer be carried out
   * - `unknown`: the tables before it are not known, or they show more of its kind than it can have done
   * - `repeatable`: it sets values that are the same when they are set twice: send it again
   */
  readonly outcome: "executed" | "not_executed" | "unknown" | "repeatable";
  /** What it placed; where the outcome is unknown, what it may have placed. */
  readonly orderIds: readonly string[];
  /** The trades that these orders opened or closed. */
  readonly tradeIds: readonly string[];
}
