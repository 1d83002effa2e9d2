import { expect, test } from "vitest";
import { overall, rank, rewardOf } from "../src/scoring/standing.ts";

test("the reward is return over drawdown, from -2 to 1", () => {
  expect(rewardOf({ return: 0.01, max_drawdown_share: 0.01 })).toBe(0.5);
  expect(rewardOf({ return: 10, max_drawdown_share: 0.01 })).toBeLessThan(1);
  expect(rewardOf({ return: -0.02, max_drawdown_share: 0.02 })).toBe(-2);
  expect(rewardOf({ return: -0.01, max_drawdown_share: 0.02 })).toBe(-1);
  expect(rewardOf({ return: 0, max_drawdown_share: 0 })).toBe(0);
  expect(rewardOf({ return: 0.001, max_drawdown_share: 0 })).toBeLessThan(0.2);
  expect(rewardOf({ return: null, max_drawdown_share: 0 })).toBe(0);
});

test("traders rank by reward, then return, then name; failed ones are last", () => {
  const standing = (trader: string, reward: number | null, gain = 0) => ({
    ...{ trader, reward, return: gain, max_drawdown: 0, equity: 1, trades: 0, steps: 0 },
  });
  const ranked = rank([
    ...[standing("d", null, 5), standing("b", 1), standing("a", 1), standing("c", 1, 0.5)],
    ...[standing("e", null)],
  ]);
  expect(ranked.map(({ rank: place, trader }) => `${place} ${trader}`)).toEqual([
    ...["1 c", "2 a", "3 b", "4 d", "5 e"],
  ]);
});

test("who never trades ranks behind all who did, even with losses", () => {
  const shared = { max_drawdown: 0, equity: 1, steps: 0 };
  const ranked = rank([
    { ...shared, trader: "idle", reward: 0, return: 0, trades: 0 },
    { ...shared, trader: "failed", reward: null, return: 0, trades: 0 },
    { ...shared, trader: "loser", reward: -1, return: -0.1, trades: 3 },
    { ...shared, trader: "holder", reward: -0.5, return: -0.1, trades: 0 },
  ]);
  expect(ranked.map(({ trader }) => trader)).toEqual(["holder", "loser", "idle", "failed"]);
});

test("several matches count together; one that failed fails them", () => {
  const match = { trader: "a", return: 0.1, max_drawdown: 0.2, equity: 100, trades: 2, steps: 3 };
  const both = [
    { ...match, reward: 0.5 },
    { ...match, reward: -1, max_drawdown: 0.1, equity: 50 },
  ];
  expect(overall(both)).toEqual({
    ...{ trader: "a", reward: -0.25, return: 0.1, max_drawdown: 0.2 },
    ...{ equity: 75, trades: 4, steps: 6 },
  });
  expect(overall([...both, { ...match, reward: null }]).reward).toBeNull();
});
