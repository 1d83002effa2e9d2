import type { PointsEvent, Program } from "@proj/points-server";

/** One dollar earns one point. */
export const program: Program = {
  network: "main",
  refreshTime: 60,
  pointsDecimal: 0,
  pointsPerUsd: "1",
  swapMultiplier: "1",
  swapPairs: [{ tokenX: "X", tokenY: "Y" }],
  promotedPools: [],
  quest: { threshold: "1", questProvider: "", questProviderUrl: "https://example.com/" },
};

/** A swap worth this many dollars. */
export const swap = (id: string, address: string, dollars: number, time = 1_000): PointsEvent => ({
  ...{ type: "swap", id, time, address, tokenX: "X", tokenY: "Y" },
  usdValue: String(dollars * 1_000_000),
});

/** One swap for each of `count` addresses; every third address has the points of another. */
export const swapsOf = (count: number, round = 0): PointsEvent[] =>
  Array.from({ length: count }, (_, index) =>
    swap(`${round}-${index}`, `a${index}`, (index * 7919 * (round + 1)) % Math.ceil(count / 1.5)),
  );
