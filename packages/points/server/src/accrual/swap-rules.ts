/** `usdValue` is in millionths of a dollar. */
const usdDecimals = 6;

/** What swaps earn: their value in US dollars × `pointsPerUsd` × `swapMultiplier`. */
export class SwapRules {
  readonly #factor: bigint;
  readonly #divisor: bigint;

  /** @param factor `pointsPerUsd` × `swapMultiplier` of a swap of weight 1 */
  constructor(factor: bigint, pointsDecimal: number) {
    this.#factor = factor;
    // Both factors are scaled by pointsDecimal, and so are points: one of the two scales is divided out.
    this.#divisor = 10n ** BigInt(usdDecimals + pointsDecimal);
  }

  /**
   * Points, scaled by `pointsDecimal`, rounded down.
   * @param weighted the values of the swaps, each multiplied by its weight
   */
  points(weighted: bigint): bigint {
    return weighted === 0n ? 0n : (weighted * this.#factor) / this.#divisor;
  }
}
