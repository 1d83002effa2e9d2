import type { EntryTimeInForce, OrderStatus, OrderType } from "@proj/trading-protocol";

/** 1 buys, -1 sells. */
export type Side = 1 | -1;

export function sideOf(isBuy: boolean): Side {
  return isBuy ? 1 : -1;
}

/** What a stop or limit was given as: -1 a rate, 1 a distance from the entry. */
export type Peg = -1 | 1;

/**
 * - `open`, `close`: at the market; one that rests could not be filled wholly yet
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
  /** When a market order is executed; 0: it was, or is at once. */
  due: number;
  /** The positions that it closes; empty: it opens. */
  readonly trades: readonly number[];
  type: OrderType;
  status: OrderStatus;
  /** What is left to fill. */
  amount: number;
  /** The last trade that it opened or closed, or the position that it protects; 0 none yet. */
  lastTradeId: number;
  rate: number;
  /** How much worse than the rate a fill may be; null: any. */
  range: number | null;
  /** Of the position that it opens: a rate or a distance; 0 none. */
  stop: number;
  stopPeg: Peg;
  limit: number;
  limitPeg: Peg;
  /** As the wire says it: 0 none, 1 dynamic, 10 and more pips. Of the stop where there is one, else of the order's own rate. */
  trailingStep: number;
  /** The price from which the next step of its own trailing rate is counted. */
  trailingFrom: number;
  ocoBulkId: number;
  /** What a pip was worth when the order was placed or changed, in hundred-thousandths of a dollar. */
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

/** Whether it can open a position. */
export function opens({ trades }: Order): boolean {
  return trades.length === 0;
}
