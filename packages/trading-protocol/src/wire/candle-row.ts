/** A candle as it is sent: open, close, high, low, in this order. */
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
  /** How many prices it was made of. */
  tickQty: number,
];
