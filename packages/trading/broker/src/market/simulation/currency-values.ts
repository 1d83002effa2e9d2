import { configuredCurrency } from "../../engine/conversion.ts";
import type { Instrument } from "../../instruments/instrument.ts";
import type { Random } from "../random.ts";
import { currencyModel, ownShare } from "./currency.ts";
import { startValues, yearlyCarries } from "./start-values.ts";

/** What has passed for a currency since it last moved. */
export interface Passed {
  /** The share of a year's variance. */
  readonly variance: number;
  readonly years: number;
}

/** Guards: values never leave this range around their start. */
const maxFactor = 4;
const tradingDays = 260;

/**
 * The value of every currency in dollars: a random walk without a mean to return to. A rate is the quotient of two
 * values, so there is no triangular arbitrage. Uses only operations that IEEE 754 rounds exactly, so that every
 * machine gets the same values.
 */
export class CurrencyValues {
  readonly #currencies: readonly {
    readonly name: string;
    readonly start: number;
    readonly volatility: number;
    readonly loadings: readonly number[];
    readonly own: number;
    /** Yearly. */
    readonly drift: number;
  }[];
  readonly #values: Map<string, number>;

  /** @param values the `values` of an earlier instance; null: those of the start rates */
  constructor(instruments: readonly Instrument[], values: readonly number[] | null) {
    const starts = startValues(instruments);
    const carries = yearlyCarries(instruments, starts);
    const names = [...starts.keys()].filter((name) => name !== configuredCurrency);
    this.#currencies = names.map((name) => {
      const model = currencyModel(name);
      const start = starts.get(name) ?? 1;
      // Halfway between currencies that make up for their interest and those that do not: neither the swaps nor
      // their opposite can be earned for certain.
      const drift = -(carries.get(name) ?? 0) / 2;
      return { name, ...model, start, own: ownShare(model), drift };
    });
    this.#values = new Map(starts);
    for (const [index, name] of names.entries()) {
      const value = values?.[index];
      if (value !== undefined) this.#values.set(name, value);
    }
  }

  /** As JSON, in order of the currencies, without the dollar. */
  get values(): readonly number[] {
    return this.#currencies.map(({ name }) => this.#of(name));
  }

  /** @param passed for each currency; null: its market is closed */
  move(random: Random, passed: (currency: string) => Passed | null): void {
    const factors = [random.normal(), random.normal(), random.normal()];
    for (const { name, volatility, loadings, own, drift } of this.#currencies) {
      const time = passed(name);
      if (time === null) continue;
      const shared = loadings.reduce((sum, loading, index) => {
        return sum + loading * (factors[index] ?? 0);
      }, 0);
      const shock = volatility * Math.sqrt(time.variance) * (shared + own * random.normal());
      this.#multiply(name, shock + drift * time.years);
    }
  }

  /** @param size of the shock in standard deviations of a day; news about the dollar moves all others */
  shock(currency: string, size: number, isOpen: (currency: string) => boolean): void {
    const isAll = currency === configuredCurrency;
    for (const { name, volatility } of this.#currencies) {
      if ((!isAll && name !== currency) || !isOpen(name)) continue;
      this.#multiply(name, (isAll ? -1 : 1) * size * (volatility / Math.sqrt(tradingDays)));
    }
  }

  /** The mid price in points, not necessarily whole. */
  rate({ base, quote, scale }: Instrument): number {
    return (this.#of(base) / this.#of(quote)) * scale;
  }

  #of(currency: string): number {
    return this.#values.get(currency) ?? 1;
  }

  /** By a factor whose inverse has the same distribution: no pair gains from being a quotient. */
  #multiply(name: string, change: number): void {
    const start = this.#currencies.find((currency) => currency.name === name)?.start ?? 1;
    const half = Math.min(Math.max(change / 2, -0.4), 0.4);
    const moved = (this.#of(name) * (1 + half)) / (1 - half);
    this.#values.set(name, Math.min(Math.max(moved, start / maxFactor), start * maxFactor));
  }
}
