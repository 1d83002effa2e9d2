export interface Stretch {
  readonly pointsPerSecond: bigint;
  /** Unix seconds. */
  readonly start: number;
  /** Unix seconds, exclusive. */
  readonly end: number;
}

/** What a pool pays its liquidity providers over time. */
export class Promotion {
  readonly #stretches: readonly Stretch[];

  constructor(stretches: readonly Stretch[]) {
    this.#stretches = stretches;
  }

  /** The points for the seconds from `from` until `to`, scaled by `pointsDecimal`. */
  pointsBetween(from: number, to: number): bigint {
    let points = 0n;
    for (const { pointsPerSecond, start, end } of this.#stretches) {
      const seconds = Math.min(end, to) - Math.max(start, from);
      if (seconds > 0) points += pointsPerSecond * BigInt(seconds);
    }
    return points;
  }
}
