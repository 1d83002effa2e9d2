import { Random, type RandomState } from "../random.ts";
import type { Activity } from "./activity.ts";

/** JSON. */
export interface VolatilityState {
  /** The start of the current step. */
  readonly time: number;
  readonly random: RandomState;
  /** Of each component: whether it is high. */
  readonly isHigh: readonly boolean[];
  readonly heat: number;
}

/** A shock to a currency at a time. */
export interface News {
  readonly time: number;
  readonly currency: string;
  /** Standard deviations of a day. */
  readonly size: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** The state changes only at multiples of this, so that it is the same at any tick interval. */
const stepMs = 5 * minuteMs;

/**
 * A Markov-switching multifractal (Calvet and Fisher 2004): the variance is a product of components that jump between
 * 1 - spread and 1 + spread, each after a different time. Days and minutes have fat tails, and volatility clusters at
 * all scales.
 */
const components = [
  ...[30, 120, 480].map((minutes) => ({ lifeMs: minutes * minuteMs, spread: 0.45 })),
  ...[1.5, 6].map((days) => ({ lifeMs: days * dayMs, spread: 0.45 })),
  { lifeMs: 20 * dayMs, spread: 0.3 },
];

/** News in a day of average activity. */
const newsPerDay = 1;
/** Standard deviation of a shock, in those of a day. */
const newsSize = 0.4;
/** What news adds to the variance at first, as a multiple of it, and how long that takes to fade. */
const newsHeat = 4;
const coolingMs = 20 * minuteMs;
/** News adds this share of variance; the rest is the market's own. */
const ownShare = 0.92;

/** How much more or less than usual a market moves, and its news. */
export class Volatility {
  readonly #activity: Activity;
  readonly #currencies: readonly string[];
  readonly #random: Random;
  readonly #isHigh: boolean[];
  #time: number;
  #heat: number;
  #news: News[] = [];

  /** @param currencies that can have news */
  constructor(
    activity: Activity,
    currencies: readonly string[],
    from: VolatilityState | { readonly seed: number; readonly time: number },
  ) {
    this.#activity = activity;
    this.#currencies = currencies;
    const isNew = "seed" in from;
    this.#random = isNew ? Random.fromSeed(from.seed) : new Random(from.random);
    this.#time = Math.floor(from.time / stepMs) * stepMs;
    this.#heat = isNew ? 0 : from.heat;
    this.#isHigh = isNew ? components.map(() => this.#happens(0.5)) : [...from.isHigh];
  }

  get state(): VolatilityState {
    const { state } = this.#random;
    return { time: this.#time, random: state, isHigh: [...this.#isHigh], heat: this.#heat };
  }

  /** The variance of this time as a multiple of the usual one. */
  get level(): number {
    const product = components.reduce(
      (all, { spread }, index) => all * (this.#isHigh[index] ? 1 + spread : 1 - spread),
      ownShare,
    );
    return product * (1 + this.#heat);
  }

  /** Moves to a time. @returns the news since the last call */
  moveTo(time: number): readonly News[] {
    for (; this.#time + stepMs <= time; this.#time += stepMs) this.#step();
    const news = this.#news;
    this.#news = [];
    return news;
  }

  #step(): void {
    for (const [index, { lifeMs }] of components.entries())
      if (this.#happens(stepMs / lifeMs)) this.#isHigh[index] = this.#happens(0.5);
    this.#heat *= coolingMs / (coolingMs + stepMs);
    const share = this.#activity.share(this.#time + stepMs, stepMs);
    if (!this.#happens(newsPerDay * share)) return;
    const currency = this.#currencies[this.#random.integer() % this.#currencies.length] ?? "";
    const size = newsSize * this.#random.normal();
    this.#news.push({ time: this.#time + stepMs, currency, size });
    this.#heat += newsHeat;
  }

  #happens(probability: number): boolean {
    return this.#random.integer() / 2 ** 32 < probability;
  }
}
