import type { EntryTimeInForce, OrderStatus, OrderType } from "@proj/trading-client/wire";

/** 1 buys, -1 sells. */
export type Side = 1 | -1;

export function sideOf(isBuy: boolean): Side {
  return isBuy ? 1 : -1;
}

/** How a stop or limit was given: -1 as a rate, 1 as a distance from the entry. */
export type Peg = -1 | 1;

/**
 * - `open`, `close`: at the market; one that waits is only partly filled so far
 * - `entry`: opens when the market reaches its rate
 * - `protect`: the stop or limit of a position
 */
export type OrderKind = "open" | "close" | "entry" | "protect";

/** Rates and distances are points, amounts thousands, times milliseconds since the epoch. */
export interface Order {
  readonly orderId: number;
  readonly accountId: string;
  readonly symbol: string;
  readonly kind: OrderKind;
  readonly side: Side;
  readonly time: number;
  readonly timeInForce: EntryTimeInForce;
  /** 0: it does not expire. */
  readonly expires: number;
  /** When a market order executes; 0: at once, or already executed. */
  due: number;
  /** The positions it closes; empty: it opens one. */
  readonly trades: readonly number[];
  type: OrderType;
  status: OrderStatus;
  /** Remaining amount. */
  amount: number;
  /** The last trade it opened or closed, or the position it protects; 0: none yet. */
  lastTradeId: number;
  rate: number;
  /** How much worse than the rate the fill may be; null: any. */
  range: number | null;
  /** Stop of the position it will open: a rate or a distance; 0: none. */
  stop: number;
  stopPeg: Peg;
  limit: number;
  limitPeg: Peg;
  /** As on the wire: 0 none, 1 dynamic, 10 and more pips. Moves the stop if there is one, else the order's rate. */
  trailingStep: number;
  /** The price from which the next step of its trailing rate is counted. */
  trailingFrom: number;
  ocoBulkId: number;
  /** Filled so far. */
  filled: number;
  /** The sum of rate times amount over what is filled. */
  filledValue: number;
  /** The client's label, and the id of its request; empty: none. */
  readonly clientTag: string;
  readonly requestId: string;
  /** Value of a pip when the order was placed or changed, in hundred-thousandths of a dollar. */
  pipValue: number;
}

const stopTypes: ReadonlySet<OrderType> = new Set<OrderType>(["S", "ST", "SE", "STE"]);
const limitTypes: ReadonlySet<OrderType> = new Set<OrderType>(["L", "LE", "LTE"]);
const trailingTypes: ReadonlySet<OrderType> = new Set<OrderType>(["ST", "STE", "LTE"]);
const rangeTypes: ReadonlySet<OrderType> = new Set<OrderType>(["OR", "CR"]);

export function isStop({ type }: Order): boolean {
  return stopTypes.has(type);
}

export function isLimit({ type }: Order): boolean {
  return limitTypes.has(type);
}

export function isTrailing({ type }: Order): boolean {
  return trailingTypes.has(type);
}

export function isRange({ type }: Order): boolean {
  return rangeTypes.has(type);
}

/** The average rate of what is filled, in points, not necessarily whole; 0: nothing yet. */
export function fillRateOf({ filled, filledValue }: Order): number {
  return filled === 0 ? 0 : filledValue / filled;
}

/** Whether it opens positions. */
export function opens({ trades }: Order): boolean {
  return trades.length === 0;
}
