import type { Instrument } from "../instruments/instrument.ts";
import type { Tick } from "../instruments/tick.ts";
import type { TradingHours } from "../instruments/trading-hours.ts";
import { type DrawnPrices, readDrawnPrices } from "./drawn-prices.ts";
import type { PriceSource, PriceSourceParts } from "./price-source.ts";
import { Random, type RandomState } from "./random.ts";

/** Moves each instrument independently by its `volatility` per step: simple, but not a consistent market. */
export interface RandomWalkConfig extends DrawnPrices {
  readonly type: "random_walk";
}

export interface RandomWalkPosition {
  /** The time of step 0. */
  readonly base: number;
  readonly step: number;
  /** Points, in order of the instruments. */
  readonly middles: readonly number[];
  readonly random: RandomState;
  readonly next: Tick;
}

/** The share of its distance from the start by which a mid price reverts per step. */
const reversion = 1 / 50_000;

/**
 * Instruments take turns at equal intervals; each price is the last one plus a random step. Time in which no
 * market is open is skipped.
 */
export class RandomWalk implements PriceSource<RandomWalkPosition> {
  readonly #instruments: readonly Instrument[];
  readonly #hours: TradingHours;
  readonly #interval: number;
  readonly #random: Random;
  readonly #middles: number[];
  #base: number;
  #step: number;
  #next: Tick;

  /** @throws TypeError an invalid configuration */
  constructor(
    config: RandomWalkConfig,
    { instruments, hours, start }: PriceSourceParts,
    position: RandomWalkPosition | null,
  ) {
    const { seed, interval, begins } = readDrawnPrices(config, start);
    this.#instruments = instruments;
    this.#hours = hours;
    this.#interval = interval;
    this.#random = position === null ? Random.fromSeed(seed) : new Random(position.random);
    this.#middles = [...(position?.middles ?? instruments.map(({ startRate }) => startRate))];
    this.#base = position?.base ?? begins;
    this.#step = position?.step ?? 0;
    this.#next = position?.next ?? this.#draw();
  }

  get next(): Tick {
    return this.#next;
  }

  get position(): RandomWalkPosition {
    return {
      base: this.#base,
      step: this.#step,
      middles: [...this.#middles],
      random: this.#random.state,
      next: this.#next,
    };
  }

  advance(): void {
    this.#next = this.#draw();
  }

  readonly lastsMs = 0;

  hasEnded(): boolean {
    return false;
  }

  close(): void {
    // Nothing to close.
  }

  #draw(): Tick {
    const count = this.#instruments.length;
    for (let closed = 0; ; ) {
      const index = this.#step % count;
      const time = this.#base + Math.floor((this.#step * this.#interval) / count);
      const instrument = this.#instruments[index];
      if (instrument === undefined) throw new Error("A random walk needs an instrument");
      if (this.#hours.isOpen(instrument.instrumentType, time)) {
        this.#step += 1;
        return this.#move(instrument, index, time);
      }
      this.#step += 1;
      closed += 1;
      if (closed < count) continue;
      closed = 0;
      this.#base = this.#nextOpening(time);
      this.#step = 0;
    }
  }

  #nextOpening(time: number): number {
    const openings = this.#instruments.map(({ instrumentType }) =>
      this.#hours.opensAt(instrumentType, time),
    );
    return Math.min(...openings);
  }

  #move(instrument: Instrument, index: number, time: number): Tick {
    const { symbol, startRate, volatility, spread } = instrument;
    const before = this.#middles[index] ?? startRate;
    const drift = (startRate - before) * reversion;
    const moved = before + Math.round(volatility * this.#random.normal() + drift);
    // Keeps even long walks away from zero.
    const min = Math.max(spread + 1, Math.floor(startRate / 4));
    const middle = Math.max(min, moved);
    this.#middles[index] = middle;
    const bid = middle - Math.floor(spread / 2);
    return { symbol, time, bid, ask: bid + spread };
  }
}
