import type { Instrument } from "../../instruments/instrument.ts";
import type { Tick } from "../../instruments/tick.ts";
import type { TradingHours } from "../../instruments/trading-hours.ts";
import { type DrawnPrices, readDrawnPrices } from "../drawn-prices.ts";
import type { PriceSource, PriceSourceParts } from "../price-source.ts";
import { Random, type RandomState } from "../random.ts";
import { Activity } from "./activity.ts";
import { CurrencyValues, type Passed } from "./currency-values.ts";
import { hoursTypes, startValues } from "./start-values.ts";
import { Volatility, type VolatilityState } from "./volatility.ts";

/**
 * A consistent market: the majors are correlated, crosses are derived from them, volatility is per unit of time,
 * follows the day's sessions and clusters, news shocks it, weekends leave gaps, and spreads widen at the roll. An
 * instrument's `volatility` has no effect.
 */
export interface SimulatedMarketConfig extends DrawnPrices {
  readonly type: "simulated";
}

export interface SimulatedMarketPosition {
  /** As they were before the next moment's prices are drawn. */
  readonly values: readonly number[];
  readonly random: RandomState;
  readonly volatility: VolatilityState;
  /** The last moment at which each instrument type was open. */
  readonly opened: Readonly<Record<number, number>>;
  readonly time: number;
  /** Number of the next moment's prices already taken. */
  readonly taken: number;
}

const dayMs = 24 * 60 * 60_000;
/** Price changes per second at usual activity; a price of a longer interval stands for more of them. */
const changesPerSecond = 0.8;

/** All open instruments have prices at the same moments. */
export class SimulatedMarket implements PriceSource<SimulatedMarketPosition> {
  readonly #instruments: readonly Instrument[];
  readonly #hours: TradingHours;
  readonly #types: ReadonlyMap<string, number>;
  readonly #activity = new Activity();
  readonly #random: Random;
  readonly #values: CurrencyValues;
  readonly #volatility: Volatility;
  readonly #opened: Map<number, number>;
  readonly #usualInterval: number;
  #interval: number;
  #drawn: Omit<SimulatedMarketPosition, "taken">;
  #ticks: readonly Tick[];
  #taken: number;

  /** @throws TypeError an invalid configuration */
  constructor(
    config: SimulatedMarketConfig,
    { instruments, hours, start }: PriceSourceParts,
    position: SimulatedMarketPosition | null,
  ) {
    const { seed, interval, begins } = readDrawnPrices(config, start);
    this.#instruments = instruments;
    this.#hours = hours;
    this.#types = hoursTypes(instruments);
    this.#usualInterval = interval;
    this.#interval = interval;
    const time = position?.time ?? this.#open(begins);
    this.#random = position === null ? Random.fromSeed(seed) : new Random(position.random);
    this.#values = new CurrencyValues(instruments, position?.values ?? null);
    const currencies = [...startValues(instruments).keys()];
    const from = position?.volatility ?? { seed: seed + 1, time };
    this.#volatility = new Volatility(this.#activity, currencies, from);
    this.#opened = new Map(
      Object.entries(position?.opened ?? {}).map(([type, at]) => [Number(type), at]),
    );
    this.#drawn = this.#remember(time);
    this.#ticks = this.#draw();
    this.#taken = position?.taken ?? 0;
  }

  get next(): Tick | null {
    return this.#ticks[this.#taken] ?? null;
  }

  get position(): SimulatedMarketPosition {
    return { ...this.#drawn, taken: this.#taken };
  }

  /** @param interval between the moments that follow, in milliseconds; null: the configured one */
  setInterval(interval: number | null): void {
    this.#interval = Math.max(interval ?? 0, this.#usualInterval);
  }

  advance(): void {
    this.#taken += 1;
    if (this.#taken < this.#ticks.length) return;
    this.#drawn = this.#remember(this.#open(this.#drawn.time + this.#interval));
    this.#ticks = this.#draw();
    this.#taken = 0;
  }

  readonly lastsMs = 0;

  hasEnded(): boolean {
    return false;
  }

  close(): void {
    // Nothing to close.
  }

  #remember(time: number): Omit<SimulatedMarketPosition, "taken"> {
    return {
      values: this.#values.values,
      random: this.#random.state,
      volatility: this.#volatility.state,
      opened: Object.fromEntries(this.#opened),
      time,
    };
  }

  #draw(): readonly Tick[] {
    const { time } = this.#drawn;
    const isOpen = (type: number): boolean => this.#hours.isOpen(type, time);
    const passed = this.#passedUntil(time);
    const of = (currency: string): Passed | null =>
      passed.get(this.#types.get(currency) ?? 1) ?? null;
    const news = this.#volatility.moveTo(time);
    this.#values.move(this.#random, of);
    for (const { currency, size } of news)
      this.#values.shock(currency, size, (name) => of(name) !== null);
    const changes = this.#changes(time);
    const factor = this.#activity.spreadFactor(time);
    return this.#instruments
      .filter(({ instrumentType }) => isOpen(instrumentType))
      .map((instrument) => {
        const spread = Math.round(instrument.spread * factor);
        const middle = Math.max(spread + 1, Math.round(this.#values.rate(instrument)));
        const bid = middle - Math.floor(spread / 2);
        return { symbol: instrument.symbol, time, bid, ask: bid + spread, changes };
      });
  }

  /** What has passed for the currencies of each open type; each keeps its own hours. */
  #passedUntil(time: number): ReadonlyMap<number, Passed> {
    const passed = new Map<number, Passed>();
    for (const type of new Set(this.#types.values())) {
      if (!this.#hours.isOpen(type, time)) continue;
      const before = this.#opened.get(type);
      this.#opened.set(type, time);
      if (before === undefined) continue;
      // A step is longer than the interval only when the type was closed meanwhile.
      const share =
        time - before > this.#interval
          ? this.#activity.whileClosed(before, time)
          : this.#activity.between(before, time);
      const variance = share * this.#volatility.level;
      passed.set(type, { variance, years: (time - before) / (365 * dayMs) });
    }
    return passed;
  }

  /** Price changes that a price stands for: more when the market is busy. */
  #changes(time: number): number {
    const usual = (this.#interval / 1000) * changesPerSecond;
    const share = this.#activity.between(time, time + this.#interval);
    const busy = (share / this.#activity.mean(this.#interval)) * this.#volatility.level;
    const mean = usual * Math.sqrt(busy);
    return Math.max(1, Math.round(mean + Math.sqrt(mean) * this.#random.normal()));
  }

  /** The first moment, from a time on, at which something is open. */
  #open(time: number): number {
    const openings = this.#instruments.map(({ instrumentType }) =>
      this.#hours.opensAt(instrumentType, time),
    );
    return Math.min(...openings);
  }
}
