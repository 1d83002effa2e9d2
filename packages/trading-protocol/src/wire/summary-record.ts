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
  /** Thousands of the base currency that are sold. */
  readonly amountKSell: number;
  /** The average rate at which they were sold; 0 where there are none. */
  readonly avgSell: number;
  /** The rate at which sold positions can be closed now, the ask; 0 where there are none. */
  readonly closeBuy: number;
  /** The rate at which bought positions can be closed now, the bid; 0 where there are none. */
  readonly closeSell: number;
  readonly avgBuy: number;
  readonly amountKBuy: number;
  /** What the nights have brought so far; it is in the balances already. */
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
  /** What was bought less what was sold, in thousands. */
  readonly amountK: number;
  /** What one pip is worth for `amountK`; negative where more is sold. */
  readonly currencyPoint: number;
  /** Profit or loss of all positions, without roll and commission. */
  readonly grossPL: number;
  /** The same with roll and commission. */
  readonly netPL: number;
  /** Stop, trailing step and limit that all its positions share; 0 where they differ. */
  readonly netStop: number;
  readonly netStopMove: number;
  readonly netLimit: number;
}
