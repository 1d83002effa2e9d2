import { type TimeFrame, timeFrameIds, timeFrames } from "@proj/trading-client";
import { describe, expect, it, onTestFinished } from "vitest";
import { defaultInstruments } from "../../src/instruments/instrument-config.ts";
import { CandleCalendar } from "../../src/market/candle-calendar.ts";
import { openPaperMarket, type PaperMarket } from "../../src/market/paper-market.ts";

const start = Date.parse("2026-01-12T10:00:00Z");
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

interface Heard {
  readonly time: number;
  readonly bid: number;
  readonly ask: number;
}

function openMarket(tick_interval_ms: number): { market: PaperMarket; heard: Heard[] } {
  const market = openPaperMarket({
    accounts: [{ account_id: "1", balance: 1000 }],
    prices: { type: "random_walk", start, tick_interval_ms },
    instruments: defaultInstruments.slice(0, 1),
    hours: null,
    speed: 0,
  });
  onTestFinished(() => market.close());
  const heard: Heard[] = [];
  market.subscribe({
    prices: (updates) => {
      for (const { Symbol: symbol, Updated, Rates } of updates) {
        if (symbol === "EUR/USD") heard.push({ time: Updated, bid: Rates[0], ask: Rates[1] });
      }
    },
  });
  return { market, heard };
}

/** The expected rows, computed from the prices. */
function candlesOf(heard: readonly Heard[], startOf: (time: number) => number): unknown[] {
  const groups = Map.groupBy(heard, ({ time }) => startOf(time));
  const row = (numbers: readonly number[]) => [
    numbers[0],
    numbers.at(-1),
    Math.max(...numbers),
    Math.min(...numbers),
  ];
  return [...groups].map(([begins, prices]) => [
    begins / 1000,
    ...row(prices.map(({ bid }) => bid)),
    ...row(prices.map(({ ask }) => ask)),
    prices.length,
  ]);
}

const query = (frame: TimeFrame, num: number) => ({ offer_id: 1, frame, num });

describe("candles", () => {
  it.each(timeFrameIds)(
    "of %s are made of the market's prices, including the current candle",
    (frame) => {
      const { market, heard } = openMarket(20 * minuteMs);
      const calendar = new CandleCalendar();
      market.advanceTo(start + 12 * dayMs + 123_456);
      const result = market.candles(query(frame, 1000));
      const made = candlesOf(heard, (time) => calendar.startOf(frame, time));
      expect(result.candles).toEqual(made.slice(-1000));
    },
  );

  it("of minutes have open, close, high, low in this order", () => {
    const { market, heard } = openMarket(7_000);
    market.advanceTo(start + 10 * minuteMs);
    const result = market.candles(query("m1", 5));
    const made = candlesOf(heard, (time) => Math.floor(time / minuteMs) * minuteMs);
    expect(result).toEqual({ executed: true, candles: made.slice(-5) });
  });

  it("of a span are those that begin in it; num is ignored", () => {
    const { market } = openMarket(7_000);
    market.advanceTo(start + hourMs);
    const from = (start + 5 * minuteMs) / 1000;
    const { candles } = market.candles({ ...query("m5", 0), from, to: from + 900 });
    expect(candles.map(([time]) => time - from)).toEqual([0, 300, 600, 900]);
    const later = market.candles({ ...query("m5", 0), from: from + 1, to: from + 899 });
    expect(later.candles.map(([time]) => time - from)).toEqual([300, 600]);
    const nothing = market.candles({ ...query("m5", 0), from: 0, to: 1 });
    expect(nothing).toEqual({ executed: true, candles: [] });
  });

  it("of an invalid query are refused", () => {
    const { market } = openMarket(60_000);
    const codes = [
      market.candles({ ...query("m1", 10), offer_id: 99 }),
      market.candles(query("m1", 0)),
      market.candles(query("m1", 10_001)),
      market.candles(query("m1", 1.5)),
      market.candles(query("D1", 0)),
    ].map((result) => !result.executed && result.refusal.code);
    expect(codes).toEqual([22, 28, 28, 28, 28]);
    expect(market.candles(query("D1", 1_000_000)).executed).toBe(true);
    expect(market.candles(query("m1", 10_000)).executed).toBe(true);
  });

  it("are kept back to the time frame's limit and up to its number", () => {
    const { market } = openMarket(10 * minuteMs);
    market.advanceTo(start + 60 * dayMs);
    const span = { from: 0, to: market.now / 1000 };
    const oldest = (frame: TimeFrame) => {
      const [first] = market.candles({ ...query(frame, 1), ...span }).candles;
      return first === undefined ? 0 : (market.now - first[0] * 1000) / dayMs;
    };
    expect(oldest("m1")).toBeCloseTo(16, 1);
    expect(oldest("m5")).toBeCloseTo(56, 1);
    expect(oldest("m15")).toBe(60);
    expect(oldest("D1")).toBeGreaterThan(59.9);
    const { maxCandles } = timeFrames.m1;
    const { candles } = market.candles({ ...query("m1", 1), from: 0, to: market.now / 1000 });
    expect(candles.length).toBeLessThanOrEqual(maxCandles ?? 0);
  });
});

describe("the beginning of candles", () => {
  const begins = (frame: TimeFrame, time: string) =>
    new Date(new CandleCalendar().startOf(frame, Date.parse(time))).toISOString();

  it.each([
    ["m1", "2026-01-12T10:20:34Z", "2026-01-12T10:20:00.000Z"],
    ["h3", "2026-01-12T10:20:34Z", "2026-01-12T09:00:00.000Z"],
    ["h8", "2026-01-12T10:20:34Z", "2026-01-12T08:00:00.000Z"],
    ["D1", "2026-01-12T21:59:59Z", "2026-01-11T22:00:00.000Z"],
    ["D1", "2026-01-12T22:00:00Z", "2026-01-12T22:00:00.000Z"],
    ["D1", "2026-07-06T21:00:00Z", "2026-07-06T21:00:00.000Z"],
    ["W1", "2026-01-16T21:00:00Z", "2026-01-11T22:00:00.000Z"],
    ["W1", "2026-01-18T22:00:00Z", "2026-01-18T22:00:00.000Z"],
    ["W1", "2026-03-09T12:00:00Z", "2026-03-08T21:00:00.000Z"],
    ["M1", "2026-01-30T12:00:00Z", "2025-12-31T22:00:00.000Z"],
    ["M1", "2026-01-31T22:00:00Z", "2026-01-31T22:00:00.000Z"],
    ["M1", "2026-03-31T20:59:59Z", "2026-02-28T22:00:00.000Z"],
    ["M1", "2026-03-31T21:00:00Z", "2026-03-31T21:00:00.000Z"],
  ] as const)("%s at %s began at %s", (frame, time, begin) => {
    expect(begins(frame, time)).toBe(begin);
  });
});
