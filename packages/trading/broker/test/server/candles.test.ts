import { timeFrameIds, timeFrames } from "@proj/trading-client";
import { expect, test } from "vitest";
import { defaultInstruments } from "../../src/index.ts";
import { advance, connectBot, serveBroker } from "./served-broker.ts";

/** docs/interfaces.md, "Trading: limits". */
const limits = [
  ["m1", 16],
  ["m5", 56],
  ["m15", 212],
  ["m30", 316],
  ["h1", 624],
  ["h2", 1224],
  ["h3", 2056],
  ["h4", 2664],
  ["h6", 3632],
  ["h8", 5128],
] as const;

test.each(limits)("%s: at most 10,000 candles, at most %d days back", async (frame, days) => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  expect((await bot.get(`/candles/1/${frame}`, { num: 10_000 })).body.candles).toHaveLength(1);
  for (const num of [0, 10_001, 1.5, -1]) {
    const { body } = await bot.get(`/candles/1/${frame}`, { num });
    expect(body).toMatchObject({ response: { executed: false }, code: 28, candles: [] });
  }
  expect(timeFrames[frame].maxDaysBack).toBe(days);
  const now = Math.floor(broker.market.now / 1000);
  const span = { from: now - (days + 30) * 86_400, to: now - days * 86_400 - 1 };
  const { body } = await bot.get(`/candles/1/${frame}`, span);
  expect(body).toMatchObject({ response: { executed: false }, candles: [] });
});

test.each(["D1", "W1", "M1"])("%s: no limit", async (frame) => {
  await using broker = await serveBroker();
  await using bot = await connectBot(broker.url);
  const { body } = await bot.get(`/candles/1/${frame}`, { num: 1_000_000 });
  expect(body).toMatchObject({ response: { executed: true }, candles: [expect.any(Array)] });
});

test("candles older than the frame's limit are left out, newer ones are not", async () => {
  const prices = {
    type: "random_walk",
    seed: 7,
    start: "2026-01-12T10:00:00Z",
    tick_interval_ms: 60_000,
  } as const;
  await using broker = await serveBroker({ prices, instruments: defaultInstruments.slice(0, 1) });
  const first = Math.floor(broker.market.now / 1000);
  advance(broker, 17 * 86_400_000);
  await using bot = await connectBot(broker.url);
  const oldest = Math.floor(broker.market.now / 1000) - 16 * 86_400;
  const span = { from: first, to: oldest + 86_400 };
  const { body } = await bot.get("/candles/1/m1", span);
  const times = [body.candles].flat(1).map((candle) => Number(Object(candle)[0]));
  expect(times.length).toBeGreaterThan(1000);
  expect(times[0]).toBeGreaterThanOrEqual(oldest);
});

test("a row is time, bid open, close, high, low, then ask, then the number of prices", async () => {
  await using broker = await serveBroker();
  advance(broker, 180_000);
  await using bot = await connectBot(broker.url);
  const { body } = await bot.get("/candles/1/m1", { num: 2 });
  expect(body).toMatchObject({ instrument_id: "1", period_id: "m1" });
  const [first, last] = [body.candles].flat(1).map(Object);
  for (const [, open, close, high, low] of [first, last]) {
    expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
    expect(low).toBeLessThanOrEqual(Math.min(open, close));
  }
  expect(last[0] - first[0]).toBe(60);
  expect(last[2]).toBe(broker.market.price("EUR/USD")?.Rates[0]);
  expect(last[6]).toBe(broker.market.price("EUR/USD")?.Rates[1]);
  const { body: ignored } = await bot.get("/candles/1/m1", {
    ...{ num: 99_999, from: first[0], to: first[0] },
  });
  expect(ignored.candles).toEqual([first]);
});

test("m1 is a minute and M1 a month; H1 equals h1; unknown frames are refused", async () => {
  await using broker = await serveBroker();
  advance(broker, 600_000);
  await using bot = await connectBot(broker.url);
  const count = async (frame: string) =>
    [(await bot.get(`/candles/1/${frame}`, { num: 100 })).body.candles].flat(1).length;
  expect([await count("m1"), await count("M1")]).toEqual([11, 1]);
  expect(await count("H1")).toBe(await count("h1"));
  for (const frame of timeFrameIds) expect(await count(frame)).toBeGreaterThan(0);
  expect((await bot.get("/candles/1/m2", { num: 1 })).body.code).toBe(28);
  expect((await bot.get("/candles/99/m1", { num: 1 })).body.code).toBe(22);
  expect((await bot.get("/candles/1/m1")).body.code).toBe(28);
});
