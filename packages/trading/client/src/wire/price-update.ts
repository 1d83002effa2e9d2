/** A price: pushed under its symbol as a JSON string, and returned by `subscribe` for each pair. */
export interface PriceUpdate {
  /** Milliseconds since the epoch; older servers send seconds. */
  readonly Updated: number;
  /** High is the highest ask and low the lowest bid of the trading day. */
  readonly Rates: readonly [bid: number, ask: number, high: number, low: number];
  readonly Symbol: string;
}
