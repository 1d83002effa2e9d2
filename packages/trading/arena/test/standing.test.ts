import { expect, test } from "vitest";
import { rank, rewardOf } from "../src/scoring/standing.ts";

test("the reward is return over drawdown, bounded when the drawdown is tiny", () => {
  expect(rewardOf({ return: 0.02, max_drawdown_share: 0.01 })).toBe(2);
  expect(rewardOf({ return: -0.02, max_drawdown_share: 0.02 })).toBe(-1);
  expect(rewardOf({ return: 0, max_drawdown_share: 0 })).toBe(0);
  expect(rewardOf({ return: 0.001, max_drawdown_share: 0 })).toBe(1);
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
