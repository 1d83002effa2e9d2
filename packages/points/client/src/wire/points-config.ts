import type { MemberReader } from "../reading/member-reader.ts";

export interface PromotedPool {
  readonly address: string;
  /** Numeric string, scaled by `pointsDecimal`. */
  readonly pointsPerSecond: string;
  /** Numeric string: Unix seconds. */
  readonly startCountTimestamp: string;
}

export interface SwapPair {
  readonly tokenX: string;
  readonly tokenY: string;
}

/** The answer of `/api/config`. */
export interface PointsConfig {
  /** Seconds from one snapshot of the rankings to the next. */
  readonly refreshTime: number;
  readonly pointsDecimal: number;
  readonly promotedPools: readonly PromotedPool[];
  /** Unix seconds; 0: there is no snapshot yet. */
  readonly lastSnapTimestamp: number;
  /** Numeric string, scaled by `pointsDecimal`. */
  readonly pointsPerUsd: string;
  /** Numeric string, scaled by `pointsDecimal`. */
  readonly swapMultiplier: string;
  readonly swapPairs: readonly SwapPair[];
}

export const readPointsConfig = (answer: MemberReader): PointsConfig => ({
  refreshTime: answer.integer("refreshTime"),
  pointsDecimal: answer.integer("pointsDecimal"),
  promotedPools: answer.list("promotedPools", (pool) => ({
    address: pool.text("address"),
    pointsPerSecond: pool.numeric("pointsPerSecond"),
    startCountTimestamp: pool.numeric("startCountTimestamp"),
  })),
  lastSnapTimestamp: answer.integer("lastSnapTimestamp"),
  pointsPerUsd: answer.numeric("pointsPerUsd"),
  swapMultiplier: answer.numeric("swapMultiplier"),
  swapPairs: answer.list("swapPairs", (pair) => ({
    tokenX: pair.text("tokenX"),
    tokenY: pair.text("tokenY"),
  })),
});
