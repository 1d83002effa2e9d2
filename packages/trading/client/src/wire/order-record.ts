import type { EntryTimeInForce, OrderStatus, OrderType } from "./order-codes.ts";

/** A row of the Order table. It stays until the order is executed or canceled. Key: `orderId`. */
export interface OrderRecord {
  readonly t: 3;
  /** Digits after the decimal point of the instrument's rates. */
  readonly ratePrecision: number;
  /** Decimal digits; the number in the immediate response. */
  readonly orderId: string;
  /**
   * The trade that the order opened or closed: present once the order executes; each further trade
   * comes in an update. For the orders `S`, `ST` and `L`, the position that they protect.
   */
  readonly tradeId?: string;
  /** When the order was placed: 17 digits, see `parseWireTime`. */
  readonly time: string;
  /** The account's id padded with leading zeros. */
  readonly accountName: string;
  readonly accountId: string;
  readonly timeInForce: EntryTimeInForce;
  /** 17 digits; empty: it does not expire. */
  readonly expireDate: string;
  /** The instrument, as `<base>/<quote>`. */
  readonly currency: string;
  readonly isBuy: boolean;
  /** The rate of a buy order; 0 on a sell order. For a market order, the market's rate when it arrived. */
  readonly buy: number;
  /** The rate of a sell order; 0 on a buy order. */
  readonly sell: number;
  readonly type: OrderType;
  readonly status: OrderStatus;
  /** Thousands of the base currency: the ordered amount or, for a waiting order, what is left of it. */
  readonly amountK: number;
  /** The value of one pip for the whole amount, in the account's currency. */
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
  /** How many pips worse than the order's rate the fill may be; 0: no range. */
  readonly range: number;
  /** It waits for its rate and then opens a position. */
  readonly isEntryOrder: boolean;
  /** Always false: orders for the net amount of a symbol are not offered. */
  readonly isNetQuantity: boolean;
  readonly isLimitOrder: boolean;
  readonly isStopOrder: boolean;
  /** An entry order with a stop or a limit. */
  readonly isELSOrder: boolean;
  /** Its OCO group, in which the first order to execute cancels the others; 0: none. */
  readonly ocoBulkId: number;
  /** How the stop was given: -1 as a rate (or not at all), 1 as a distance in pips from the entry. */
  readonly stopPegBaseType: number;
  /** How the limit was given. */
  readonly limitPegBaseType: number;
  /** Our own: the `client_tag` of the request that placed it; absent: none. */
  readonly client_tag?: string;
  /** Our own: what is filled so far; absent: nothing yet. */
  readonly filledK?: number;
  /** Our own: the average rate of what is filled; absent: nothing yet. */
  readonly fillRate?: number;
}
