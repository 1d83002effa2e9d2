import type { Program } from "../program/program.ts";

const day = 86_400;

/** The rules of the demo data. @param now Unix seconds */
export function demoProgram(now: number): Program {
  const startCountTimestamp = String(now - 7 * day);
  return {
    network: "demo",
    refreshTime: 60,
    pointsDecimal: 6,
    pointsPerUsd: "1000000",
    swapMultiplier: "1500000",
    swapPairs: [
      { tokenX: "SOLAR", tokenY: "USDX" },
      { tokenX: "LUNAR", tokenY: "USDX" },
    ],
    promotedPools: [
      { address: "solar-usdx", pointsPerSecond: "2000000", startCountTimestamp },
      { address: "lunar-usdx", pointsPerSecond: "500000", startCountTimestamp },
    ],
    quest: {
      threshold: "5000000000",
      questProvider: "Demo quests",
      questProviderUrl: "https://quests.example/",
    },
  };
}
