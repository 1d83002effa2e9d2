import { forexHoursConfig } from "@proj/trading-client";
import { describe, expect, it } from "vitest";
import type { Tick } from "../../src/instruments/tick.ts";
import type { PriceSource } from "../../src/market/price-source.ts";
import { instruments, openPrices, take } from "./prices.ts";

const config = { type: "simulated", seed: 7, start: "2026-01-12T00:00:00Z" } as const;
const hours = { 1: forexHoursConfig };
const hourMs = 3_600_000;
const minuteMs = 60_000;

/** The prices of all instruments at each moment until a time. */
function* moments(source: PriceSource, until: number): Generator<ReadonlyMap<string, Tick>> {
  let moment = new Map<string, Tick>();
  for (let { next } = source; next !== null && next.time < until; { next } = source) {
    const [[, first] = []] = moment;
    if (first !== undefined && first.time !== next.time) {
      yield moment;
      moment = new Map();
    }
    moment.set(next.symbol, next);
    source.advance();
  }
}

/** Hourly returns of each symbol's mid price, with the hours at which they begin. */
function returns(tick_interval_ms: number, weeks: number, seed = 7) {
  const source = openPrices({ ...config, seed, tick_interval_ms }, { hours });
  const start = Date.parse(config.start);
  const rows: { time: number; values: Map<string, number> }[] = [];
  const last = new Map<string, number>();
  let from = start;
  for (const moment of moments(source, start + weeks * 7 * 24 * hourMs)) {
    const [[, first] = []] = moment;
    const time = first?.time ?? 0;
    if (last.size === 0 || time - from >= hourMs) {
      const values = new Map<string, number>();
      for (const [symbol, { bid, ask }] of moment) {
        const middle = bid + ask;
        const before = last.get(symbol);
        if (before !== undefined) values.set(symbol, middle / before - 1);
        last.set(symbol, middle);
      }
      if (values.size > 0 && time - from < 2 * hourMs) rows.push({ time: from, values });
      from = time;
    }
  }
  return rows;
}

const column = (rows: ReturnType<typeof returns>, symbol: string) =>
  rows.map(({ values }) => values.get(symbol) ?? 0);
const deviation = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length);
const correlation = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0) /
  (a.length * deviation(a) * deviation(b));

describe("the simulated market", () => {
  it("gives the same prices for the same seed and different ones for another", () => {
    const prices = take(openPrices(config), 1000);
    expect(take(openPrices(config), 1000)).toEqual(prices);
    expect(take(openPrices({ ...config, seed: 8 }), 1000)).not.toEqual(prices);
  });

  it("begins with these prices on every machine and in every version", () => {
    const last = take(openPrices(config), 8000).slice(-8);
    expect(last.map(({ symbol, bid, ask }) => `${symbol} ${bid} ${ask}`)).toMatchInlineSnapshot(`
      [
        "EUR/USD 108519 108527",
        "USD/JPY 150179 150188",
        "GBP/USD 126587 126598",
        "USD/CHF 88293 88305",
        "EUR/CHF 95818 95833",
        "AUD/USD 65662 65672",
        "USD/CAD 135818 135831",
        "NZD/USD 60916 60928",
      ]
    `);
  });

  it("resumes from any position with the same prices", () => {
    for (const taken of [0, 1, 7, 8, 321]) {
      const source = openPrices(config, { hours });
      take(source, taken);
      const position: unknown = JSON.parse(JSON.stringify(source.position));
      expect(take(openPrices(config, { hours, position }), 500)).toEqual(take(source, 500));
    }
  });

  it("has no triangular arbitrage at any moment of two weeks", () => {
    const source = openPrices({ ...config, tick_interval_ms: minuteMs }, { hours });
    const [scale] = instruments.map((instrument) => instrument.scale);
    let seen = 0;
    for (const moment of moments(source, Date.parse(config.start) + 14 * 24 * hourMs)) {
      const [cross, euro, franc] = ["EUR/CHF", "EUR/USD", "USD/CHF"].map((name) =>
        moment.get(name),
      );
      if (cross === undefined || euro === undefined || franc === undefined) throw new Error("gone");
      seen += 1;
      const product = (a: number, b: number) => (a * b) / (scale ?? 1);
      expect(cross.ask).toBeGreaterThanOrEqual(product(euro.bid, franc.bid));
      expect(cross.bid).toBeLessThanOrEqual(product(euro.ask, franc.ask));
    }
    expect(seen).toBeGreaterThan(13_000);
  });

  it("has the same volatility and correlation at any tick interval", () => {
    const [often, seldom] = [5000, 10 * minuteMs].map((interval) => returns(interval, 8));
    for (const symbol of ["EUR/USD", "USD/JPY", "AUD/USD"]) {
      const ratio =
        deviation(column(often ?? [], symbol)) / deviation(column(seldom ?? [], symbol));
      expect(ratio).toBeGreaterThan(0.9);
      expect(ratio).toBeLessThan(1.1);
    }
    for (const rows of [often ?? [], seldom ?? []]) {
      expect(correlation(column(rows, "EUR/USD"), column(rows, "GBP/USD"))).toBeGreaterThan(0.5);
      expect(correlation(column(rows, "AUD/USD"), column(rows, "NZD/USD"))).toBeGreaterThan(0.55);
      expect(correlation(column(rows, "EUR/USD"), column(rows, "USD/CHF"))).toBeLessThan(-0.6);
      // A year has 6240 trading hours.
      const yearly = deviation(column(rows, "EUR/USD")) * Math.sqrt(6240);
      // Eight weeks may be calm or stormy.
      expect(yearly).toBeGreaterThan(0.055);
      expect(yearly).toBeLessThan(0.115);
    }
  });

  it("is volatile when London and New York trade, and quiet at night", () => {
    const rows = returns(10 * minuteMs, 12);
    const of = (utcHours: readonly number[]) =>
      deviation(
        column(
          rows.filter(({ time }) => utcHours.includes(new Date(time).getUTCHours())),
          "EUR/USD",
        ),
      );
    expect(of([13, 14, 15]) / of([22, 4, 5])).toBeGreaterThan(1.5);
  });

  it("leaves gaps at weekends and does not move while closed", () => {
    const source = openPrices({ ...config, tick_interval_ms: minuteMs }, { hours });
    let last = 0;
    let time = 0;
    const gaps: number[] = [];
    const steps: number[] = [];
    for (const moment of moments(source, Date.parse(config.start) + 70 * 24 * hourMs)) {
      const euro = moment.get("EUR/USD");
      if (euro === undefined) throw new Error("gone");
      const middle = (euro.bid + euro.ask) / 2;
      if (time > 0) (euro.time - time > hourMs ? gaps : steps).push(middle - last);
      [last, time] = [middle, euro.time];
    }
    expect(gaps).toHaveLength(10);
    expect(deviation(gaps)).toBeGreaterThan(5 * deviation(steps));
  });

  it("widens its spreads only at the roll", () => {
    const source = openPrices({ ...config, tick_interval_ms: 5 * minuteMs }, { hours });
    const spreads = new Map<string, number>();
    for (const moment of moments(source, Date.parse(config.start) + 2 * 24 * hourMs)) {
      const euro = moment.get("EUR/USD");
      if (euro === undefined) continue;
      spreads.set(new Date(euro.time).toISOString().slice(11, 16), euro.ask - euro.bid);
    }
    // 17:00 in New York.
    expect(spreads.get("22:00")).toBe(40);
    expect(spreads.get("22:30")).toBe(20);
    expect(spreads.get("21:55")).toBe(24);
    for (const time of ["00:00", "08:00", "14:30", "20:00"]) expect(spreads.get(time)).toBe(8);
  });

  it("refuses invalid options", () => {
    expect(() => openPrices({ ...config, seed: -1 })).toThrow("prices.seed");
    expect(() => openPrices({ ...config, start: "soon" })).toThrow("prices.start");
    expect(() => openPrices({ ...config, tick_interval_ms: 0 })).toThrow("tick_interval_ms");
  });
});
