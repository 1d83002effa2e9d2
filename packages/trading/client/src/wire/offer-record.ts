/** A row of the Offer table: an instrument and its prices. Key: `offerId`. */
export interface OfferRecord {
  readonly t: 0;
  /** Digits after the decimal point of the instrument's rates. */
  readonly ratePrecision: number;
  readonly offerId: number;
  /** Swap per night for a bought base unit (lot), in the account's currency; negative: a cost. */
  readonly rollB: number;
  /** Swap per night for a sold base unit. */
  readonly rollS: number;
  /** The same as `ratePrecision`. */
  readonly fractionDigits: number;
  /** The size of a pip, in units of the rate: 0.0001 for EUR/USD. */
  readonly pip: number;
  readonly defaultSortOrder: number;
  /** The symbol, as `<base>/<quote>`. */
  readonly currency: string;
  /** 1 forex, 2 indices, 3 commodity, 4 treasury, 5 bullion, 6 shares, 7 FX index. */
  readonly instrumentType: number;
  /** Settlement day of a trade made now: MMddyyyy. */
  readonly valueDate: string;
  /** When the price last changed: 17 digits; empty before the first price. */
  readonly time: string;
  /** The bid: the rate at which you can sell. 0 before the first price. */
  readonly sell: number;
  /** The ask: the rate at which you can buy. */
  readonly buy: number;
  readonly sellTradable: boolean;
  readonly buyTradable: boolean;
  /** The highest ask of the trading day. */
  readonly high: number;
  /** The lowest bid of the trading day. */
  readonly low: number;
  /** Ticks in the current minute. */
  readonly volume: number;
  /** The smallest change of a rate, in pips. */
  readonly pipFraction: number;
  /** Pips between bid and ask. */
  readonly spread: number;
  /** Maintenance margin of a base unit (lot), in the account's currency. */
  readonly mmr: number;
  /** Entry margin of a base unit: required to open it. */
  readonly emr: number;
  /** Liquidation margin of a base unit: if the equity falls below the total, all positions are closed. */
  readonly lmr: number;
  /** The value of one pip for a base unit, in the account's currency. */
  readonly pipCost: number;
  /** Our own: units that an amount of 1 is, such as 1 ounce. Absent: 1000. */
  readonly contractSize?: number;
}
