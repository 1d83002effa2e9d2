/** What happened, as it is sent. Ids are the sender's: an event that comes twice counts once. */
export type PointsEvent = SwapEvent | PositionEvent | PriceEvent | DomainEvent | RetractEvent;

interface EventBase {
  /** 1 to 200 characters, none of them a control character. */
  readonly id: string;
  /** Unix seconds; later than now by no more than the program's `clockTolerance`. */
  readonly time: number;
  /**
   * Its place among the events of its second, such as a block's number × 10^6 + the place in the block.
   * Ties are in the order opened, changed, closed, and then of the ids. @default 0
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

/** A swap of which nobody told the value: it is worth what our own price says that its amount was worth. */
export interface PricedSwapEvent extends SwapBase {
  readonly usdValue?: undefined;
  /** Scaled by `amountDecimals`. */
  readonly amount: string;
  /** What it is an amount of: `tokenX` or `tokenY`. */
  readonly amountToken: string;
  /** 0 to 38 */
  readonly amountDecimals: number;
}

/** Says what a position is from its time on, whatever was said of it before. */
export interface PositionEvent extends EventBase {
  readonly type: "position_opened" | "position_changed" | "position_closed";
  /** The owner from then on. */
  readonly address: string;
  /** Promoted or not: one that is promoted later counts from then. */
  readonly pool: string;
  /** Tells the position from others of the pool; of the form of an `id`. */
  readonly position: string;
  /** All of it, not what was added or taken. Of a closed position none is expected. */
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
  /** At most 253 characters; empty: the address no longer has one. */
  readonly domain: string;
}

/** Takes an event back, as after a reorganisation of a chain; it may come before the event itself. */
export interface RetractEvent extends EventBase {
  readonly type: "retract";
  /** The id of the event. A retraction cannot be taken back: send the event again with another id. */
  readonly target: string;
}
