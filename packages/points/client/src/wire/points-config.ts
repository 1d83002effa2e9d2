import type { PointsConfig } from "@proj/points-protocol";
import type { MemberReader } from "../reading/member-reader.ts";

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
