interface PositionFigures {
  /** Digits after the decimal point of the instrument's rates. */
  readonly ratePrecision: number;
  readonly tradeId: string;
  /** The order that opened it. */
  readonly orderId: string;
  /** Our own: the `client_tag` of the order that opened it; absent: none. */
  readonly client_tag?: string;
  /** The account's id padded with leading zeros. */
  readonly accountName: string;
  /** Swaps so far, in the account's currency; already in the balance. */
  readonly roll: number;
  /** Commission, in the account's currency. */
  readonly com: number;
  /** The rate at which it was opened. */
  readonly open: number;
  /** The rate at which it could be closed now, or was. */
  readonly close: number;
  /** MMddyyyy. */
  readonly valueDate: string;
  /** Profit or loss in the account's currency, without roll and commission. */
  readonly grossPL: number;
  /** Profit or loss in pips. */
  readonly visiblePL: number;
  /** The symbol, as `<base>/<quote>`. */
  readonly currency: string;
  readonly isBuy: boolean;
  /** Thousands of the base currency. */
  readonly amountK: number;
  /** The value of one pip for the whole amount, in the account's currency. */
  readonly currencyPoint: number;
}

/** A row of the OpenPosition table. Key: `tradeId`. */
export interface OpenPositionRecord extends PositionFigures {
  readonly t: 1;
  readonly accountId: string;
  /** It cannot be closed now, because the market is closed. */
  readonly isDisabled: boolean;
  /** When it was opened: 17 digits. */
  readonly time: string;
  /** The maintenance margin it uses, in the account's currency. */
  readonly usedMargin: number;
  /** The rate of its stop; 0 none. */
  readonly stop: number;
  /** The stop's trailing step: 0 none, 1 dynamic (every tenth of a pip), 10 and more: pips. */
  readonly stopMove: number;
  /** The rate of its limit; 0 none. */
  readonly limit: number;
}

/**
 * A row of the ClosedPosition table: a position closed in this trading day. Key: `tradeId`. A part
 * closed off a larger position has its own trade id and the position's `orderId`.
 */
export interface ClosedPositionRecord extends PositionFigures {
  readonly t: 2;
  /** 17 digits. */
  readonly openTime: string;
  /** 17 digits. */
  readonly closeTime: string;
  /** The order that closed it. */
  readonly closeOrderId: string;
  /** Our own: the `client_tag` of the order that closed it; absent: none. */
  readonly close_client_tag?: string;
}
