/** An instrument in the configuration. Money is in dollars. */
export interface InstrumentConfig {
  /** `<base>/<quote>`, or the name of another product, such as `US30`. */
  readonly symbol: string;
  /** The currency of the rates of a symbol without a slash. @default "USD" */
  readonly quote_currency?: string;
  /**
   * Units that an amount of 1 is: 1000 of a currency, or 1 contract, ounce or barrel.
   * @default 1000 for type 1, forex; else 1
   */
  readonly contract_size?: number;
  readonly offer_id: number;
  /** 1 forex, 2 indices, 3 commodity, 4 treasury, 5 bullion, 6 shares, 7 FX index. @default 1 */
  readonly instrument_type?: number;
  /** Digits after the decimal point of its rates. */
  readonly rate_precision: number;
  /** The size of a pip in units of the rate, such as 0.0001. */
  readonly pip: number;
  /** Lot size: every amount must be a multiple of it. @default 1 */
  readonly base_unit?: number;
  /** Maintenance margin of a base unit. */
  readonly mmr: number;
  /** Entry margin of a base unit. @default mmr */
  readonly emr?: number;
  /** Liquidation margin of a base unit. @default half of mmr */
  readonly lmr?: number;
  /** Swap per night for a bought base unit; negative: a cost. @default 0 */
  readonly roll_buy?: number;
  /** Swap per night for a sold base unit. @default 0 */
  readonly roll_sell?: number;
  /** Business days from the trade to its value date. @default 2 */
  readonly settlement_days?: number;
  /** Least distance of a stop from the price, in pips. @default 0 */
  readonly stop_distance?: number;
  /** Least distance of a limit from the price, in pips. @default 0 */
  readonly limit_distance?: number;
  /** The amounts available at each price. Null: any amount at the quote. @default null */
  readonly liquidity?: LiquidityConfig | null;
  /** Position in lists. @default offer_id */
  readonly sort_order?: number;
  /** The rate at which drawn prices begin. */
  readonly start_rate: number;
  /** Pips between bid and ask, for drawn prices and for files that have only bids. */
  readonly spread: number;
  /** Standard deviation of a step of the random walk, in pips. @default 0.4 */
  readonly volatility?: number;
}

/** Levels of equal size, each a step worse than the last; an order is filled level by level. */
export interface LiquidityConfig {
  /** Thousands per level; a multiple of the base unit. */
  readonly amount: number;
  /** Pips between levels. @default 0 */
  readonly step?: number;
  /** Market milliseconds until a level that was used up is there again; 0: at once. @default 5000 */
  readonly recovery_ms?: number;
  /** Number of levels; null: unlimited. @default null */
  readonly levels?: number | null;
}

interface WellKnown {
  readonly rate: number;
  readonly spread: number;
  readonly mmr: number;
  readonly rolls: readonly [buy: number, sell: number];
}

/** A currency pair in lots of a thousand; yen pairs have three decimals. */
function currencyPair(
  offer_id: number,
  symbol: string,
  { rate, spread, mmr, rolls }: WellKnown,
): InstrumentConfig {
  const isInYen = symbol.endsWith("/JPY");
  return {
    symbol,
    offer_id,
    rate_precision: isInYen ? 3 : 5,
    pip: isInYen ? 0.01 : 0.0001,
    mmr,
    roll_buy: rolls[0],
    roll_sell: rolls[1],
    // Canadian dollars settle a day sooner.
    settlement_days: symbol === "USD/CAD" ? 1 : 2,
    start_rate: rate,
    spread,
  };
}

/** Eight major pairs. */
export const defaultInstruments: readonly InstrumentConfig[] = [
  currencyPair(1, "EUR/USD", { rate: 1.085, spread: 0.8, mmr: 36, rolls: [-0.09, 0.04] }),
  currencyPair(2, "USD/JPY", { rate: 150.25, spread: 0.9, mmr: 33, rolls: [0.1, -0.17] }),
  currencyPair(3, "GBP/USD", { rate: 1.2655, spread: 1.1, mmr: 42, rolls: [-0.04, -0.03] }),
  currencyPair(4, "USD/CHF", { rate: 0.883, spread: 1.2, mmr: 33, rolls: [0.08, -0.13] }),
  currencyPair(5, "EUR/CHF", { rate: 0.958, spread: 1.5, mmr: 36, rolls: [0.04, -0.09] }),
  currencyPair(6, "AUD/USD", { rate: 0.6565, spread: 1, mmr: 22, rolls: [-0.03, -0.01] }),
  currencyPair(7, "USD/CAD", { rate: 1.3585, spread: 1.3, mmr: 33, rolls: [0.01, -0.07] }),
  currencyPair(8, "NZD/USD", { rate: 0.6095, spread: 1.2, mmr: 20, rolls: [-0.02, -0.02] }),
];
