import type { EntryTimeInForce, OrderStatus, OrderType } from "./order-codes.ts";

/** A row of the Order table. It stays until the order is executed or canceled. Key: `orderId`. */
export interface OrderRecord {
  readonly t: 3;
  /** Digits after the decimal point of the instrument's rates. */
  readonly ratePrecision: number;
  /** Digits; the number of the immediate response. */
  readonly orderId: string;
  /**
   * The trade that the order opened or closed: present once it is executed, each time another one
   * in an update. On the orders `S`, `ST` and `L`, the position that they protect.
   */
  readonly tradeId?: string;
  /** When the order was placed: 17 digits, see `parseWireTime`. */
  readonly time: string;
  /** The account's id padded with leading zeros. */
  readonly accountName: string;
  readonly accountId: string;
  readonly timeInForce: EntryTimeInForce;
  /** 17 digits, or empty: it does not expire. */
  readonly expireDate: string;
  /** The instrument, as `<base>/<quote>`. */
  readonly currency: string;
  readonly isBuy: boolean;
  /** The rate of a buy order; 0 on a sell order. For a market order the market's when it came. */
  readonly buy: number;
  /** The rate of a sell order; 0 on a buy order. */
  readonly sell: number;
  readonly type: OrderType;
  readonly status: OrderStatus;
  /** Thousands of the base currency: what was ordered, or, of an order that rests, what is left of it. */
  readonly amountK: number;
  /** What one pip is worth for the whole amount, in the account's currency. */
  readonly currencyPoint: number;
  /** The trailing step: 0 none, 1 dynamic (every tenth of a pip), 10 and more: pips. */
  readonly stopMove: number;
  /** The rate of the stop; 0 none. */
  readonly stop: number;
  /** The same as `stop`. */
  readonly stopRate: number;
  /** The rate of the limit; 0 none. */
  readonly limit: number;
  /** The same as `limit`. */
  readonly limitRate: number;
  /** How many pips the fill may be worse than the order's rate; 0 where there is no range. */
  readonly range: number;
  /** It waits for the market, to open a position. */
  readonly isEntryOrder: boolean;
  /** Always false: orders for the net amount of a symbol are not offered. */
  readonly isNetQuantity: boolean;
  readonly isLimitOrder: boolean;
  readonly isStopOrder: boolean;
  /** An entry order with a stop or a limit. */
  readonly isELSOrder: boolean;
  /** The group of which the first order to be executed cancels the others; 0 none. */
  readonly ocoBulkId: number;
  /** What the stop was given as: -1 a rate (or none), 1 a distance in pips from the entry. */
  readonly stopPegBaseType: number;
  /** The same for the limit. */
  readonly limitPegBaseType: number;
}
