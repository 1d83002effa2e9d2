import type {
  EntryOrderType,
  EntryTimeInForce,
  MarketOrderType,
  TimeInForce,
} from "./order-codes.ts";

/** The stop and limit of the position that an order opens. */
export interface StopAndLimit {
  /**
   * With `is_in_pips`, pips from the entry (signed: a stop below the entry is negative); else a rate.
   * @default 0, none
   */
  readonly stop?: number;
  /** A rate or signed pips, like `stop`: a limit above the entry is positive. @default 0, none */
  readonly limit?: number;
  /** @default false */
  readonly is_in_pips?: boolean;
  /** 0 none, 1 dynamic (every tenth of a pip), 10 and more: pips. @default 0 */
  readonly trailing_stop_step?: number;
}

/** Our own fields of requests that place orders; other servers ignore them. */
export interface OrderIdentity {
  /**
   * The client's own label, up to 64 visible characters or spaces: echoed in tables, transactions and reports. It
   * need not be unique.
   * @default none
   */
  readonly client_tag?: string;
  /**
   * Unique to this request, up to 64 visible characters: `settle_request` tells what became of it. A request
   * whose id was settled or used before is refused.
   * @default none
   */
  readonly request_id?: string;
}

/** How a market order executes. */
export interface Execution<Force extends string = TimeInForce> {
  readonly order_type: MarketOrderType;
  readonly time_in_force: Force;
  /** `MarketRange`: the rate where the range begins; 0: the market's. @default 0 */
  readonly rate?: number;
  /** `MarketRange`: how many pips worse than `rate` the fill may be. @default 0 */
  readonly at_market?: number;
}

/** POST /trading/open_trade */
export interface OpenTradeRequest extends Execution, StopAndLimit, OrderIdentity {
  /** The account's id, not its name. */
  readonly account_id: string;
  /** `<base>/<quote>`, or a name such as `US30`. */
  readonly symbol: string;
  readonly is_buy: boolean;
  /**
   * Thousands of the base currency, or contracts of another product (its `contractSize` in the Offer table); a
   * multiple of the instrument's base unit.
   */
  readonly amount: number;
}

/** POST /trading/close_trade */
export interface CloseTradeRequest extends Execution, OrderIdentity {
  readonly trade_id: string;
  /** Thousands; 0: the whole position. @default 0 */
  readonly amount?: number;
}

/** POST /trading/create_entry_order */
export interface CreateEntryOrderRequest extends StopAndLimit, OrderIdentity {
  readonly account_id: string;
  readonly symbol: string;
  readonly is_buy: boolean;
  readonly rate: number;
  readonly amount: number;
  /** @default "Entry" */
  readonly order_type?: EntryOrderType;
  /** `RangeEntry`: how many pips worse than `rate` the fill may be. */
  readonly range?: number;
  readonly time_in_force: EntryTimeInForce;
  /** `GTD`: when the order expires, in UTC: `YYYY-MM-DD hh:mm`, or any ISO 8601 time. */
  readonly expiration?: string;
}

/** POST /trading/change_order; omitted fields keep their values. */
export interface ChangeOrderRequest {
  readonly order_id: string;
  readonly rate?: number;
  /** How many pips worse than `rate` the fill may be; 0: no bound. */
  readonly range?: number;
  readonly amount?: number;
  readonly trailing_stop_step?: number;
}

/** POST /trading/delete_order */
export interface DeleteOrderRequest {
  readonly order_id: string;
}

/** POST /trading/change_trade_stop_limit */
export interface ChangeTradeStopLimitRequest {
  readonly trade_id: string;
  /** True changes the stop, false the limit. */
  readonly is_stop: boolean;
  /** With `is_in_pips`, pips from the position's opening rate; else a rate; 0 deletes. */
  readonly rate: number;
  /** @default false */
  readonly is_in_pips?: boolean;
  /** @default 0 */
  readonly trailing_stop_step?: number;
}

/**
 * POST /trading/set_stop_limit, which is our own: the stop and the limit of a trade, both or neither. Omitted fields
 * stay as they are, 0 deletes.
 */
export interface SetStopLimitRequest {
  readonly trade_id: string;
  readonly stop?: number;
  readonly limit?: number;
  /** Counted from the position's opening rate. @default false */
  readonly is_in_pips?: boolean;
  readonly trailing_stop_step?: number;
}

/** POST /trading/change_net_stop_limit: the stop or limit of every trade on one side. */
export interface ChangeNetStopLimitRequest {
  readonly account_id: string;
  readonly symbol: string;
  /** Changes the bought trades or the sold ones. */
  readonly is_buy: boolean;
  readonly is_stop: boolean;
  /** A rate; 0 deletes. */
  readonly rate: number;
  /** @default 0 */
  readonly trailing_stop_step?: number;
}

/** POST /trading/change_order_stop_limit; omitted fields keep their values, 0 deletes. */
export interface ChangeOrderStopLimitRequest {
  readonly order_id: string;
  readonly limit?: number;
  /** @default false */
  readonly is_limit_in_pips?: boolean;
  readonly stop?: number;
  /** @default false */
  readonly is_stop_in_pips?: boolean;
  readonly trailing_stop_step?: number;
}

/** POST /trading/close_all_for_symbol */
export interface CloseAllForSymbolRequest extends Execution, OrderIdentity {
  readonly account_id: string;
  /** False closes the positions of all symbols. */
  readonly forSymbol: boolean;
  readonly symbol: string;
}

/** POST /trading/update_subscriptions */
export interface UpdateSubscriptionsRequest {
  readonly symbol: string;
  /** Whether the Offer table shows the instrument. */
  readonly visible: boolean;
}
