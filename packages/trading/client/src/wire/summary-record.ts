/**
 * A row of the Summary table: the open positions of one instrument, over all accounts.
 * Key: `offerId`. Money is in the accounts' currency.
 */
export interface SummaryRecord {
  readonly t: 5;
  /** Digits after the decimal point of the instrument's rates. */
  readonly ratePrecision: number;
  readonly offerId: number;
  /** The symbol, as `<base>/<quote>`. */
  readonly currency: string;
  /** Profit or loss of the sold positions. */
  readonly plSell: number;
  /** Sold thousands of the base currency. */
  readonly amountKSell: number;
  /** Average opening rate of the sold positions; 0: none. */
  readonly avgSell: number;
  /** The rate at which sold positions can be closed now, the ask; 0: none. */
  readonly closeBuy: number;
  /** The rate at which bought positions can be closed now, the bid; 0: none. */
  readonly closeSell: number;
  readonly avgBuy: number;
  readonly amountKBuy: number;
  /** Swaps so far; already in the balances. */
  readonly rollSum: number;
  /** Maintenance margin of all positions. */
  readonly usedMargin: number;
  readonly usedMarginSell: number;
  readonly usedMarginBuy: number;
  /** There are no sold positions to close. */
  readonly isSellDisabled: boolean;
  /** There are no bought positions to close. */
  readonly isBuyDisabled: boolean;
  readonly plBuy: number;
  /** Bought less sold, in thousands. */
  readonly amountK: number;
  /** The value of one pip for `amountK`; negative if more is sold than bought. */
  readonly currencyPoint: number;
  /** Profit or loss of all positions, without roll and commission. */
  readonly grossPL: number;
  /** Profit or loss of all positions, including roll and commission. */
  readonly netPL: number;
  /** The stop, trailing step and limit shared by all positions; 0 if they differ. */
  readonly netStop: number;
  readonly netStopMove: number;
  readonly netLimit: number;
}
