import { forexHoursConfig } from "@proj/trading-client";
import { expect, test } from "vitest";
import { instruments, openPrices } from "./prices.ts";

// Eight strategies that know nothing, over twelve seeds and two years each.

const hourMs = 3_600_000;
const years = 2;
const seeds = 12;
const start = Date.parse("2026-01-04T22:00:00Z");
const symbols = ["EUR/USD", "USD/JPY", "GBP/USD", "AUD/USD"];

/** Closing mid rates, oldest first; returns the wanted position, from -1 to 1. */
type Strategy = (rates: readonly number[], time: number, first: number) => number;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: readonly number[]): number => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
};
const last = (rates: readonly number[], count: number): readonly number[] => rates.slice(-count);

const strategies: Readonly<Record<string, Strategy>> = {
  "buy and hold": () => 1,
  "short above the first rate, long below it": (rates, _, first) =>
    Math.max(-1, Math.min(1, (first / (rates.at(-1) ?? first) - 1) * 20)),
  "moving averages of 10 and 50 hours": (rates) =>
    Math.sign(mean(last(rates, 10)) - mean(last(rates, 50))),
  "moving averages of 5 and 20 days": (rates) =>
    Math.sign(mean(last(rates, 120)) - mean(last(rates, 480))),
  "fading two deviations of 20 days": (rates) => {
    const month = last(rates, 480);
    const distance = ((rates.at(-1) ?? 0) - mean(month)) / deviation(month);
    return Math.abs(distance) > 2 ? -Math.sign(distance) : 0;
  },
  "a breakout of 20 days": (rates) => {
    const [rate = 0, before] = [rates.at(-1), rates.slice(-481, -1)];
    if (rate >= Math.max(...before)) return 1;
    return rate <= Math.min(...before) ? -1 : 0;
  },
  "the momentum of a day": (rates) => Math.sign((rates.at(-1) ?? 0) - (rates.at(-25) ?? 0)),
  "London follows Tokyo": (rates, time) => {
    const hour = new Date(time).getUTCHours();
    return hour >= 8 && hour < 16 ? Math.sign((rates.at(-1) ?? 0) - (rates.at(-9) ?? 0)) : 0;
  },
};

/** Daily profits of each strategy as a share of what it trades, before and after the spread and the swaps. */
function play(seed: number): ReadonlyMap<string, { before: number[]; after: number[] }> {
  const source = openPrices(
    { type: "simulated", seed, start, tick_interval_ms: hourMs },
    { hours: { 1: forexHoursConfig } },
  );
  const results = new Map(
    Object.keys(strategies).map((name) => [
      name,
      { before: [] as number[], after: [] as number[] },
    ]),
  );
  const markets = new Map(
    symbols.map((symbol) => [
      symbol,
      { rates: [] as number[], held: new Map<string, number>(), first: 0 },
    ]),
  );
  const known = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
  let day = -1;
  for (let { next } = source; next !== null && next.time < start + years * 365 * 24 * hourMs; ) {
    const { symbol, time, bid, ask } = next;
    source.advance();
    next = source.next;
    const market = markets.get(symbol);
    const instrument = known.get(symbol);
    if (market === undefined || instrument === undefined) continue;
    const rate = (bid + ask) / 2;
    const { rates, held } = market;
    const change = rates.length === 0 ? 0 : rate / (rates.at(-1) ?? rate) - 1;
    market.first ||= rate;
    rates.push(rate);
    if (rates.length > 481) rates.shift();
    const today = Math.floor(time / (24 * hourMs));
    const isNewDay = today !== day;
    for (const { before, after } of isNewDay ? results.values() : []) {
      before.push(0);
      after.push(0);
    }
    day = today;
    const dollars = symbol.startsWith("USD") ? 1000 : (1000 * rate) / instrument.scale;
    for (const [name, strategy] of Object.entries(strategies)) {
      const position = held.get(name) ?? 0;
      const { before = [], after = [] } = results.get(name) ?? {};
      const roll = position > 0 ? instrument.rollBuy : instrument.rollSell;
      const swap =
        new Date(time).getUTCHours() === 22 ? (Math.abs(position) * roll) / 100 / dollars : 0;
      const wanted = rates.length < 481 ? 0 : strategy(rates, time, market.first);
      const spread = (Math.abs(wanted - position) * (ask - bid)) / 2 / rate;
      before[before.length - 1] = (before.at(-1) ?? 0) + position * change;
      after[after.length - 1] = (after.at(-1) ?? 0) + position * change + swap - spread;
      held.set(name, wanted);
    }
  }
  return results;
}

test("no simple strategy earns significantly more than nothing, before costs or after", () => {
  const all = Object.keys(strategies).map((name) => ({
    name,
    before: [] as number[],
    after: [] as number[],
  }));
  for (let seed = 1; seed <= seeds; seed += 1) {
    const results = play(seed);
    for (const { name, before, after } of all) {
      before.push(...(results.get(name)?.before ?? []));
      after.push(...(results.get(name)?.after ?? []));
    }
  }
  const significance = (days: readonly number[]): number =>
    (mean(days) / deviation(days)) * Math.sqrt(days.length);
  const told = all.map(({ name, before, after }) => ({
    ...{ name, before: significance(before), after: significance(after) },
  }));
  // With eight strategies, one in a hundred sets of seeds passes 3 by luck.
  expect(told.filter(({ before, after }) => before > 2.5 || after > 2.5)).toEqual([]);
});
