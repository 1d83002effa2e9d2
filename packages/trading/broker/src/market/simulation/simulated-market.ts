import type { Instrument } from "../../instruments/instrument.ts";
import type { Tick } from "../../instruments/tick.ts";
import type { TradingHours } from "../../instruments/trading-hours.ts";
import { type DrawnPrices, readDrawnPrices } from "../drawn-prices.ts";
import type { PriceSource, PriceSourceParts } from "../price-source.ts";
import { Random, type RandomState } from "../random.ts";
import { Activity } from "./activity.ts";
import { CurrencyValues } from "./currency-values.ts";

/**
 * A consistent market: the majors are correlated, crosses are derived from them, volatility is per unit of time
 * and follows the day's sessions, weekends leave gaps, and spreads widen at the roll. An instrument's
 * `volatility` has no effect.
 */
export interface SimulatedMarketConfig extends DrawnPrices {
  readonly type: "simulated";
}

export interface SimulatedMarketPosition {
  /** As they were before the next moment's prices are drawn. */
  readonly values: readonly number[];
  readonly random: RandomState;
  /** The previous moment; null: none. */
  readonly before: number | null;
  readonly time: number;
  /** Number of the next moment's prices already taken. */
  readonly taken: number;
}

/** All open instruments have prices at the same moments. */
export class SimulatedMarket implements PriceSource<SimulatedMarketPosition> {
  readonly #instruments: readonly Instrument[];
  readonly #hours: TradingHours;
  readonly #interval: number;
  readonly #activity = new Activity();
  readonly #random: Random;
  readonly #values: CurrencyValues;
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
    this.#interval = interval;
    this.#random = position === null ? Random.fromSeed(seed) : new Random(position.random);
    this.#values = new CurrencyValues(instruments, position?.values ?? null);
    this.#drawn = this.#remember(position?.before ?? null, position?.time ?? this.#open(begins));
    this.#ticks = this.#draw();
    this.#taken = position?.taken ?? 0;
  }

  get next(): Tick | null {
    return this.#ticks[this.#taken] ?? null;
  }

  get position(): SimulatedMarketPosition {
    return { ...this.#drawn, taken: this.#taken };
  }

  advance(): void {
    this.#taken += 1;
    if (this.#taken < this.#ticks.length) return;
    const before = this.#drawn.time;
    this.#drawn = this.#remember(before, this.#open(before + this.#interval));
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

  #remember(before: number | null, time: number): Omit<SimulatedMarketPosition, "taken"> {
    return { values: this.#values.values, random: this.#random.state, before, time };
  }

  #draw(): readonly Tick[] {
    const { before, time } = this.#drawn;
    if (before !== null) this.#values.move(this.#random, this.#variance(before, time));
    const factor = this.#activity.spreadFactor(time);
    return this.#instruments
      .filter(({ instrumentType }) => this.#hours.isOpen(instrumentType, time))
      .map((instrument) => {
        const spread = Math.round(instrument.spread * factor);
        const middle = Math.max(spread + 1, Math.round(this.#values.rate(instrument)));
        const bid = middle - Math.floor(spread / 2);
        return { symbol: instrument.symbol, time, bid, ask: bid + spread };
      });
  }

  #variance(before: number, time: number): number {
    // A step is longer than the interval only when it skips time in which nothing is open.
    return time - before > this.#interval
      ? this.#activity.whileClosed(before, time)
      : this.#activity.between(before, time);
  }

  /** The first moment, from a time on, at which something is open. */
  #open(time: number): number {
    const openings = this.#instruments.map(({ instrumentType }) =>
      this.#hours.opensAt(instrumentType, time),
    );
    return Math.min(...openings);
  }
}
