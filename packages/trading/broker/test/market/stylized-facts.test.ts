import { forexHoursConfig } from "@proj/trading-client";
import { expect, test } from "vitest";
import { createInstrument } from "../../src/instruments/instrument.ts";
import { defaultInstruments } from "../../src/instruments/instrument-config.ts";
import { TradingHours } from "../../src/instruments/trading-hours.ts";
import { openPriceSource } from "../../src/market/open-price-source.ts";
import { openPrices } from "./prices.ts";

// The ranges are those of majors in Cont, "Empirical properties of asset returns" (2001): kurtosis far above the
// normal 3 in minutes, falling towards it in days, and |returns| that stay correlated; and, for days, in Andersen,
// Bollerslev, Diebold and Labys, "Exchange rate returns standardized by realized volatility are (nearly) Gaussian"
// (2000).

const hours = { 1: forexHoursConfig };
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const start = Date.parse("2016-01-03T22:00:00Z");

function kurtosis(values: readonly number[]): number {
  const middle = values.reduce((sum, value) => sum + value, 0) / values.length;
  const moment = (power: number): number =>
    values.reduce((sum, value) => sum + (value - middle) ** power, 0) / values.length;
  return moment(4) / moment(2) ** 2;
}

function correlationOfSizes(values: readonly number[], lag: number): number {
  const sizes = values.map(Math.abs);
  const middle = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const product = (shift: number): number =>
    sizes
      .slice(shift)
      .reduce((sum, size, index) => sum + (size - middle) * ((sizes[index] ?? 0) - middle), 0);
  return product(lag) / product(0);
}

/** Returns of EUR/USD over each interval of this length. */
function returns(seed: number, tick_interval_ms: number, lengthMs: number, spanMs: number) {
  const source = openPrices({ type: "simulated", seed, start, tick_interval_ms }, { hours });
  const values: number[] = [];
  let [last, at] = [0, Number.NaN];
  for (let { next } = source; next !== null && next.time < start + spanMs; { next } = source) {
    const interval = Math.floor((next.time - start) / lengthMs);
    if (next.symbol === "EUR/USD" && interval !== at) {
      const rate = next.bid + next.ask;
      // A weekend is not a return of this length.
      if (interval === at + 1) values.push(rate / last - 1);
      [last, at] = [rate, interval];
    }
    source.advance();
  }
  return values;
}

test("minutes have fat tails and cluster", () => {
  const minutes = returns(3, minuteMs, minuteMs, 120 * dayMs);
  expect(kurtosis(minutes)).toBeGreaterThan(15);
  expect(kurtosis(minutes)).toBeLessThan(150);
  expect(correlationOfSizes(minutes, 1)).toBeGreaterThan(0.15);
  expect(correlationOfSizes(minutes, 60)).toBeGreaterThan(0.1);
});

test("days have less fat tails, and still cluster", () => {
  for (const seed of [1, 2, 3]) {
    const days = returns(seed, 30 * minuteMs, dayMs, 3650 * dayMs);
    expect(kurtosis(days)).toBeGreaterThan(4);
    expect(kurtosis(days)).toBeLessThan(9);
    expect(correlationOfSizes(days, 1)).toBeGreaterThan(0.03);
    expect(correlationOfSizes(days, 1)).toBeLessThan(0.3);
  }
});

test("volume follows activity, and about as much at any tick interval", () => {
  const perHour = [1000, 20_000].map((tick_interval_ms) => {
    const monday = Date.parse("2026-01-12T00:00:00Z");
    const source = openPrices(
      { type: "simulated", seed: 4, start: monday, tick_interval_ms },
      { hours },
    );
    const counts = Array.from({ length: 24 }, () => 0);
    for (
      let { next } = source;
      next !== null && next.time < monday + 4 * dayMs;
      { next } = source
    ) {
      const hour = Math.floor(((next.time - monday) % dayMs) / (60 * minuteMs));
      if (next.symbol === "EUR/USD") counts[hour] = (counts[hour] ?? 0) + (next.changes ?? 1);
      source.advance();
    }
    return counts;
  });
  const [often = [], seldom = []] = perHour;
  expect(Math.max(...seldom.slice(13, 16))).toBeGreaterThan(1.4 * Math.min(...seldom.slice(3, 6)));
  const ratio = often.reduce((a, b) => a + b) / seldom.reduce((a, b) => a + b);
  expect(ratio).toBeGreaterThan(0.7);
  // A price stands for at least one change.
  expect(ratio).toBeLessThan(2.5);
});

test("a pair does not move at the weekend because a coin trades beside it", () => {
  const coin = { ...defaultInstruments[0], symbol: "BTC/USD", offer_id: 99, instrument_type: 2 };
  const gapsOf = (configs: readonly (typeof coin)[]): number[] => {
    const source = openPriceSource(
      { type: "simulated", seed: 9, start, tick_interval_ms: 30 * minuteMs },
      {
        instruments: configs.map((config) => createInstrument(config as never)),
        hours: new TradingHours(hours),
        start,
      },
      null,
    );
    const gaps: number[] = [];
    let [rate, time] = [0, 0];
    for (
      let { next } = source;
      next !== null && next.time < start + 700 * dayMs;
      { next } = source
    ) {
      if (next.symbol === "EUR/USD") {
        const now = next.bid + next.ask;
        if (time > 0 && next.time - time > dayMs) gaps.push(now / rate - 1);
        [rate, time] = [now, next.time];
      }
      source.advance();
    }
    return gaps;
  };
  const sizeOf = (gaps: readonly number[]): number =>
    Math.sqrt(gaps.reduce((sum, gap) => sum + gap ** 2, 0) / gaps.length);
  const euro = { ...coin, ...defaultInstruments[0], instrument_type: 1 };
  const [alone, beside] = [gapsOf([euro]), gapsOf([euro, coin])];
  expect([alone.length, beside.length]).toEqual([99, 99]);
  expect(sizeOf(beside) / sizeOf(alone)).toBeGreaterThan(0.6);
  expect(sizeOf(beside) / sizeOf(alone)).toBeLessThan(1.6);
});
