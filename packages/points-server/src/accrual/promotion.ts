import type { Program, PromotedPool } from "../program/program.ts";

interface Stretch {
  readonly pointsPerSecond: bigint;
  readonly start: bigint;
  readonly end: bigint;
}

/** What a pool gives to those who provide its liquidity, over time. */
export class Promotion {
  readonly #stretches: readonly Stretch[];

  constructor(program: Program, pool: string) {
    this.#stretches = program.promotedPools.filter(({ address }) => address === pool).map(stretch);
  }

  /** The points of the seconds from `from` until `to`, scaled by `pointsDecimal`. */
  pointsBetween(from: number, to: number): bigint {
    let points = 0n;
    for (const { pointsPerSecond, start, end } of this.#stretches) {
      const first = larger(start, BigInt(from));
      const last = smaller(end, BigInt(to));
      if (last > first) points += pointsPerSecond * (last - first);
    }
    return points;
  }
}

const never = 2n ** 64n;

function stretch(pool: PromotedPool): Stretch {
  return {
    pointsPerSecond: BigInt(pool.pointsPerSecond),
    start: BigInt(pool.startCountTimestamp),
    end: pool.endCountTimestamp === undefined ? never : BigInt(pool.endCountTimestamp),
  };
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
