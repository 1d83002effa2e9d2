/** An event as it is sent. Ids are the sender's: an event that comes twice counts once. */
export type PointsEvent = SwapEvent | PositionEvent | PriceEvent | DomainEvent | RetractEvent;

interface EventBase {
  /** 1 to 200 characters, none of them a control character. */
  readonly id: string;
  /** Unix seconds; at most the program's `clockTolerance` in the future. */
  readonly time: number;
  /**
   * Orders events of the same second: for example the block's number × 10^6 + the place in the block. Ties are
   * ordered opened, changed, closed, and then by id. @default 0
   */
  readonly sequence?: number;
}

export type SwapEvent = ValuedSwapEvent | PricedSwapEvent;

interface SwapBase extends EventBase {
  readonly type: "swap";
  readonly address: string;
  readonly tokenX: string;
  readonly tokenY: string;
}

export interface ValuedSwapEvent extends SwapBase {
  /** Millionths of a dollar. */
  readonly usdValue: string;
}

/** A swap without a value: it is worth its amount at our own price. */
export interface PricedSwapEvent extends SwapBase {
  readonly usdValue?: undefined;
  /** Scaled by `amountDecimals`. */
  readonly amount: string;
  /** The token of the amount: `tokenX` or `tokenY`. */
  readonly amountToken: string;
  /** 0 to 38 */
  readonly amountDecimals: number;
}

/** The state of a position from its time on; it replaces the earlier state. */
export interface PositionEvent extends EventBase {
  readonly type: "position_opened" | "position_changed" | "position_closed";
  /** The owner from then on. */
  readonly address: string;
  /** Promoted or not: if it is promoted later, the position counts from then on. */
  readonly pool: string;
  /** Identifies the position within the pool; same form as an `id`. */
  readonly position: string;
  /** The new total, not the difference. Not expected for a closed position. */
  readonly liquidity?: string;
}

export interface PriceEvent extends EventBase {
  readonly type: "price";
  readonly token: string;
  /** Scaled by `priceDecimals`. */
  readonly price: string;
  /** 0 to 38 */
  readonly priceDecimals: number;
}

export interface DomainEvent extends EventBase {
  readonly type: "domain";
  readonly address: string;
  /** At most 253 characters; empty: the address no longer has a domain. */
  readonly domain: string;
}

/** Takes an event back, for example after a reorganisation of the chain; it may arrive before that event. */
export interface RetractEvent extends EventBase {
  readonly type: "retract";
  /** The id of the event. A retraction is final: send the event again with another id instead. */
  readonly target: string;
}
