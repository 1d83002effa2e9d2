/** A candle on the wire; note the order: open, close, high, low. */
export type CandleRow = readonly [
  /** When it began, in seconds since the epoch. */
  time: number,
  bidOpen: number,
  bidClose: number,
  bidHigh: number,
  bidLow: number,
  askOpen: number,
  askClose: number,
  askHigh: number,
  askLow: number,
  /** Number of price changes in it. */
  tickQty: number,
];
