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
  /** What orders have taken of the depth on the ask's and the bid's side, and when that was counted. */
  takenAsk: number;
  takenBid: number;
  takenTime: number;
  /** Whether the Offer table shows it. */
  visible: boolean;
}

const untouched = { takenAsk: 0, takenBid: 0, takenTime: 0 };

export function createQuote(symbol: string): Quote {
  return {
    symbol,
    bid: 0,
    ask: 0,
    time: 0,
    high: 0,
    low: 0,
    volume: 0,
    ...untouched,
    visible: true,
  };
}

export function hasPrice({ bid }: Quote): boolean {
  return bid > 0;
}
