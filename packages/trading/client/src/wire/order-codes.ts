/** The states of an order, as numbered on its record. */
export const orderStatus: {
  readonly unknown: 0;
  /** Waits until the market reaches its rate. */
  readonly waiting: 1;
  readonly inProcess: 2;
  readonly canceled: 3;
  readonly requoted: 4;
  /** Closes a position because the account's margin is used up. */
  readonly marginCall: 5;
  readonly executing: 6;
  /** Part of it could not be filled yet. */
  readonly pending: 7;
  /** Closes a position because the account's equity fell to its stop. */
  readonly equityStop: 8;
  readonly executed: 9;
  /** The market has reached its rate, and part of it could not be filled yet. */
  readonly activated: 10;
} = {
  unknown: 0,
  waiting: 1,
  inProcess: 2,
  canceled: 3,
  requoted: 4,
  marginCall: 5,
  executing: 6,
  pending: 7,
  equityStop: 8,
  executed: 9,
  activated: 10,
};

export type OrderStatus = (typeof orderStatus)[keyof typeof orderStatus];

/**
 * - `S`, `ST`, `L`: stop, trailing stop and limit of an open position
 * - `SE`, `LE`, `STE`, `LTE`: stop and limit entry orders, and their trailing forms
 * - `O`, `OM`, `OR`: opens: plain, at market, within a range
 * - `C`, `CM`, `CR`: closes: plain, at market, within a range
 * - `M`: closes because of a margin call
 */
export type OrderType =
  | "S"
  | "ST"
  | "L"
  | "SE"
  | "LE"
  | "STE"
  | "LTE"
  | "C"
  | "CM"
  | "CR"
  | "O"
  | "OM"
  | "OR"
  | "M";
export const orderTypes: readonly OrderType[] = [
  ...(["S", "ST", "L", "SE", "LE", "STE", "LTE"] as const),
  ...(["C", "CM", "CR", "O", "OM", "OR", "M"] as const),
];

/** How a market order executes: at any price, or within `at_market` pips. */
export type MarketOrderType = "AtMarket" | "MarketRange";
export const marketOrderTypes: readonly [MarketOrderType, ...MarketOrderType[]] = [
  "AtMarket",
  "MarketRange",
];

/** How an entry order executes once the market reaches its rate: at any price, or within `range` pips. */
export type EntryOrderType = "Entry" | "RangeEntry";
export const entryOrderTypes: readonly [EntryOrderType, ...EntryOrderType[]] = [
  "Entry",
  "RangeEntry",
];

/**
 * - `GTC`: until it is filled or deleted
 * - `DAY`: until the trading day ends, at 5 PM in New York
 * - `IOC`: fill what can be filled at once, cancel the rest
 * - `FOK`: fill all of it at once, or nothing
 */
export type TimeInForce = "GTC" | "DAY" | "IOC" | "FOK";
export const timesInForce: readonly [TimeInForce, ...TimeInForce[]] = ["GTC", "DAY", "IOC", "FOK"];

/** `GTD`: until `expiration`. */
export type EntryTimeInForce = TimeInForce | "GTD";
export const entryTimesInForce: readonly [EntryTimeInForce, ...EntryTimeInForce[]] = [
  ...timesInForce,
  "GTD",
];
