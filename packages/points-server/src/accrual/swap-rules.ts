import type { Program } from "../program/program.ts";

/** `usdValue` is in millionths of a dollar. */
const usdDecimals = 6;

/** What swaps earn: the US dollars that they are worth × `pointsPerUsd` × `swapMultiplier`. */
export class SwapRules {
  readonly #factor: bigint;
  readonly #divisor: bigint;

  constructor({ pointsPerUsd, swapMultiplier, pointsDecimal }: Program) {
    this.#factor = BigInt(pointsPerUsd) * BigInt(swapMultiplier);
    // Both factors are scaled by pointsDecimal, and so are points: it is taken away once.
    this.#divisor = 10n ** BigInt(usdDecimals + pointsDecimal);
  }

  /** Points, scaled by `pointsDecimal`, rounded down. */
  points(usdValue: bigint): bigint {
    return usdValue === 0n ? 0n : (usdValue * this.#factor) / this.#divisor;
  }
}
