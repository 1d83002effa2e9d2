/** As `usdValue`, what is computed in its place is in millionths of a dollar. */
const usdUnit = 10n ** 6n;

/** What a whole token was worth in dollars, from a time on. */
export interface Price {
  /** Unix seconds. */
  readonly time: number;
  /** Scaled by `decimals`. */
  readonly amount: bigint;
  readonly decimals: number;
}

/** Millionths of a dollar, rounded down. @param amount of the token, scaled by `decimals` */
export const usdValueOf = (amount: bigint, decimals: number, price: Price): bigint =>
  (amount * price.amount * usdUnit) / 10n ** BigInt(decimals + price.decimals);

/** Whether it may say what a swap was worth. @param time of the swap @param maxAge seconds */
export const isYoungEnough = (price: Price, time: number, maxAge: number): boolean =>
  price.time >= time - maxAge;
