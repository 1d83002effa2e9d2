/** Computed values are in millionths of a dollar, like `usdValue`. */
const usdUnit = 10n ** 6n;

/** What one whole token was worth in dollars, from some time on. */
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

/** Whether the price is recent enough to value a swap. @param time of the swap @param maxAge seconds */
export const isYoungEnough = (price: Price, time: number, maxAge: number): boolean =>
  price.time >= time - maxAge;
