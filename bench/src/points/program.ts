import type { Program } from "@proj/points-server";

export const POOLS: readonly string[] = Array.from({ length: 20 }, (_, index) => `pool-${index}`);

export const PAIRS: Program["swapPairs"] = [
  { tokenX: "USDX", tokenY: "SOLAR" },
  { tokenX: "USDX", tokenY: "LUNAR" },
  { tokenX: "SOLAR", tokenY: "LUNAR" },
];

export const PROGRAM: Program = {
  network: "main",
  refreshTime: 60,
  pointsDecimal: 8,
  pointsPerUsd: "100000000",
  swapMultiplier: "150000000",
  swapPairs: PAIRS,
  promotedPools: POOLS.map((address) => ({
    address,
    pointsPerSecond: "10000000000",
    startCountTimestamp: "0",
  })),
  quest: {
    threshold: "100000000000",
    questProvider: "Quests",
    questProviderUrl: "https://quests.example/",
  },
};
