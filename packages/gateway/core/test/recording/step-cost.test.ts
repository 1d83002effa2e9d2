import type { PriceConfig } from "@proj/gateway-protocol";
import { noTokens } from "@proj/model-apis";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costNanoUsd, costOf } from "../../src/recording/step-cost.ts";
import { createCall, routeOf, routeTo } from "../upstream/upstream-fixture.ts";

const price = (changes: Partial<PriceConfig> = {}): PriceConfig => ({
  from: null,
  input: 3,
  cached_input: 0.3,
  cache_write: 3.75,
  output: 15,
  reasoning: null,
  ...changes,
});
const day = (text: string): number => Date.parse(`${text}T12:00:00Z`);
const now = day("2026-06-01");

describe("the cost of a step", () => {
  test("is the sum of its parts, each at its own price", () => {
    const tokens = {
      prompt_tokens: 1_000,
      cached_tokens: 600,
      cache_write_tokens: 100,
      completion_tokens: 200,
      reasoning_tokens: 150,
    };
    // 300 x 3000 + 600 x 300 + 100 x 3750 + 200 x 15000 nano-dollars
    expect(costNanoUsd([price()], now, tokens)).toBe(4_455_000);
    expect(costNanoUsd([price({ reasoning: 20 })], now, tokens)).toBe(5_205_000);
    const one = price({ cached_input: null, cache_write: null });
    expect(costNanoUsd([one], now, tokens)).toBe(6_000_000);
  });

  test("is rounded to whole nano-dollars, half of one up", () => {
    const cheap = price({ input: 0.000_5, output: 0 });
    const tokens = (prompt_tokens: number) => ({ ...noTokens, prompt_tokens });
    expect([1, 2, 3].map((count) => costNanoUsd([cheap], now, tokens(count)))).toEqual([1, 1, 2]);
  });

  test("uses the price of the day on which the step began", () => {
    const prices = [
      price({ from: "2026-05-01", input: 2 }),
      price({ input: 1 }),
      price({ from: "2026-06-01", input: 4 }),
    ];
    const tokens = { ...noTokens, prompt_tokens: 1 };
    const costs = ["2026-04-30", "2026-05-01", "2026-05-31", "2026-06-01"].map((at) =>
      costNanoUsd(prices, day(at), tokens),
    );
    expect(costs).toEqual([1_000, 2_000, 2_000, 4_000]);
    expect(costNanoUsd(prices.slice(0, 1), day("2026-04-30"), tokens)).toBeNull();
  });

  test("is unknown without prices or counts, or if no number can hold it", () => {
    expect(costNanoUsd([], now, { ...noTokens, prompt_tokens: 1 })).toBeNull();
    expect(costNanoUsd([price()], now, noTokens)).toBeNull();
    expect(costNanoUsd([price()], now, null)).toBeNull();
    const absurd = { ...noTokens, prompt_tokens: Number.MAX_SAFE_INTEGER };
    expect(costNanoUsd([price()], now, absurd)).toBeNull();
  });

  test("is computed once for a call, and not at all for a replayed one", () => {
    let computed = 0;
    const counting = {
      ...price(),
      get output(): number {
        computed += 1;
        return 15;
      },
    };
    const route = routeOf(routeTo([], { prices: [counting] }));
    const tokens = { ...noTokens, completion_tokens: 2 };
    const call = createCall({ route });
    expect(costOf(call, null)).toBeNull();
    expect([1, 2, 3].map(() => costOf(call, tokens))).toEqual([30_000, 30_000, 30_000]);
    expect(computed).toBe(1);
    expect(costOf({ ...createCall({ route }), replayed: {} }, tokens)).toBeNull();
    expect(computed).toBe(1);
  });

  test("never counts a token twice, whatever parts an upstream reports", () => {
    const count = fc.option(fc.nat(1_000_000));
    const flat = price({ cached_input: null, cache_write: null, input: 2, output: 2 });
    fc.assert(
      fc.property(fc.tuple(count, count, count, count, count), (counts) => {
        const [prompt_tokens, completion_tokens, ...parts] = counts;
        const [cached_tokens, cache_write_tokens, reasoning_tokens] = parts;
        fc.pre(prompt_tokens !== null || completion_tokens !== null);
        const whole = (prompt_tokens ?? 0) + (completion_tokens ?? 0);
        const tokens = { prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens };
        const cost = costNanoUsd([flat], now, { ...tokens, reasoning_tokens });
        expect(cost).toBe(whole * 2_000);
      }),
    );
  });
});
