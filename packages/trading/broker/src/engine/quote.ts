/** The price of an instrument, in points; 0 before the first one. */
export interface Quote {
  readonly symbol: string;
  bid: number;
  ask: number;
  /** Milliseconds since the epoch. */
  time: number;
  /** The highest ask of the trading day. */
  high: number;
  /** The lowest bid of the trading day. */
  low: number;
  /** Ticks in the minute of `time`. */
  volume: number;
  /** Whether the Offer table shows it. */
  visible: boolean;
}

export function createQuote(symbol: string): Quote {
  return { symbol, bid: 0, ask: 0, time: 0, high: 0, low: 0, volume: 0, visible: true };
}

export function hasPrice({ bid }: Quote): boolean {
  return bid > 0;
}
