import type { Side } from "./order.ts";

/** Rates are points, amounts thousands, money cents, times milliseconds since the epoch. */
export interface Position {
  readonly tradeId: number;
  readonly orderId: number;
  readonly accountId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly open: number;
  readonly time: number;
  /** Of the order that opened it; empty: none. */
  readonly clientTag: string;
  amount: number;
  /** Swaps so far; already in the balance. */
  roll: number;
  /** Commission, 0 or negative; already in the balance. */
  commission: number;
  /** 0 none. */
  stopOrderId: number;
  /** 0 none. */
  limitOrderId: number;
  /** Computed from the price; not stored. */
  close: number;
  grossPL: number;
  maintenanceMargin: number;
  entryMargin: number;
  liquidationMargin: number;
}

export interface ClosedPosition {
  readonly tradeId: number;
  readonly orderId: number;
  readonly accountId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly open: number;
  readonly close: number;
  readonly amount: number;
  readonly roll: number;
  /** For opening and closing it. */
  readonly commission: number;
  readonly grossPL: number;
  /** Value of a pip for it, in hundred-thousandths of a dollar. */
  readonly pipValue: number;
  /** The order that closed it. */
  readonly closeOrderId: number;
  /** Of the order that opened it, and of the one that closed it; empty: none. */
  readonly clientTag: string;
  readonly closeClientTag: string;
  readonly openTime: number;
  readonly closeTime: number;
  /** MMddyyyy. */
  readonly valueDate: string;
}
