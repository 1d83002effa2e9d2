import { forexHoursConfig } from "@proj/trading-client";
import { describe, expect, it } from "vitest";
import { instruments, openPrices, take } from "./prices.ts";

const walk = { type: "random_walk", seed: 7, start: "2026-01-12T00:00:00Z" } as const;

describe("the random walk", () => {
  it("gives the same prices for the same seed and different ones for another", () => {
    const prices = take(openPrices(walk), 1000);
    expect(take(openPrices(walk), 1000)).toEqual(prices);
    expect(take(openPrices({ ...walk, seed: 8 }), 1000)).not.toEqual(prices);
    expect(take(openPrices({ ...walk, seed: 7 + 2 ** 32 }), 1000)).not.toEqual(prices);
  });

  it("begins with these prices on every machine and in every version", () => {
    const first = take(openPrices(walk), 3).map(({ symbol, time, bid, ask }) => [
      symbol,
      time - Date.parse(walk.start),
      bid,
      ask,
    ]);
    expect(first).toMatchInlineSnapshot(`
      [
        [
          "EUR/USD",
          0,
          108503,
          108511,
        ],
        [
          "USD/JPY",
          125,
          150245,
          150254,
        ],
        [
          "GBP/USD",
          250,
          126550,
          126561,
        ],
      ]
    `);
  });

  it("resumes from its position with the same prices", () => {
    const source = openPrices(walk);
    take(source, 321);
    const position: unknown = JSON.parse(JSON.stringify(source.position));
    const coming = take(source, 500);
    expect(take(openPrices(walk, { position }), 500)).toEqual(coming);
  });

  it("gives every instrument a price in each interval, in order of time", () => {
    const count = instruments.length;
    const ticks = take(openPrices({ ...walk, tick_interval_ms: 400 }), 10 * count);
    for (let turn = 0; turn < 10; turn += 1) {
      const symbols = ticks.slice(turn * count, (turn + 1) * count).map(({ symbol }) => symbol);
      expect(new Set(symbols).size).toBe(count);
    }
    const times = ticks.map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect((times[count] ?? 0) - (times[0] ?? 0)).toBe(400);
  });

  it("keeps the spread and stays above zero for many prices", () => {
    const source = openPrices(walk);
    const spreads = new Map(instruments.map(({ symbol, spread }) => [symbol, spread]));
    let wrong = 0;
    for (let tick = 0; tick < 200_000; tick += 1) {
      const { next } = source;
      if (next === null || next.bid <= 0 || next.ask - next.bid !== spreads.get(next.symbol)) {
        wrong += 1;
      }
      source.advance();
    }
    expect(wrong).toBe(0);
  });

  it("skips time in which no market is open", () => {
    const start = "2026-01-16T21:54:58Z";
    const source = openPrices({ ...walk, start }, { hours: { 1: forexHoursConfig } });
    const times = take(source, 24).map(({ time }) => new Date(time).toISOString());
    expect(times[15]).toBe("2026-01-16T21:54:59.875Z");
    expect(times[16]).toBe("2026-01-18T22:00:00.000Z");
  });

  it.each([
    [{ seed: -1 }, /seed/],
    [{ seed: 1.5 }, /seed/],
    [{ tick_interval_ms: 0 }, /tick_interval_ms/],
    [{ start: "yesterday" }, /start.*yesterday/],
  ])("refuses %j", (change, message) => {
    expect(() => openPrices({ ...walk, ...change })).toThrow(message);
  });
});
