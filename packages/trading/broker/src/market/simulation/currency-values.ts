import { configuredCurrency } from "../../engine/conversion.ts";
import type { Instrument } from "../../instruments/instrument.ts";
import type { Random } from "../random.ts";
import { currencyModel, ownShare } from "./currency.ts";

/** Mean reversion per year, as a multiple of the distance from the start: half of it in two months. */
const reversion = 4;

/**
 * The value of every currency in dollars. A rate is the quotient of two values, so there is no triangular
 * arbitrage. Uses only operations that IEEE 754 rounds exactly, so that every machine gets the same values.
 */
export class CurrencyValues {
  readonly #currencies: readonly {
    readonly name: string;
    readonly start: number;
    readonly volatility: number;
    readonly loadings: readonly number[];
    readonly own: number;
  }[];
  readonly #values: Map<string, number>;

  /** @param values the `values` of an earlier instance; null: those of the start rates */
  constructor(instruments: readonly Instrument[], values: readonly number[] | null) {
    const starts = startValues(instruments);
    const names = [...starts.keys()].filter((name) => name !== configuredCurrency);
    this.#currencies = names.map((name) => {
      const model = currencyModel(name);
      return { name, ...model, start: starts.get(name) ?? 1, own: ownShare(model) };
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

  /** @param variance the share of a year's variance that has passed */
  move(random: Random, variance: number): void {
    const factors = [random.normal(), random.normal(), random.normal()];
    const scale = Math.sqrt(variance);
    for (const { name, start, volatility, loadings, own } of this.#currencies) {
      const before = this.#of(name);
      const shared = loadings.reduce((sum, loading, index) => {
        return sum + loading * (factors[index] ?? 0);
      }, 0);
      const drift = reversion * variance * (start - before);
      const moved = before * (1 + volatility * scale * (shared + own * random.normal())) + drift;
      // Keeps even long runs away from zero.
      this.#values.set(name, Math.max(moved, start / 4));
    }
  }

  /** The mid price in points, not necessarily whole. */
  rate({ base, quote, scale }: Instrument): number {
    return (this.#of(base) / this.#of(quote)) * scale;
  }

  #of(currency: string): number {
    return this.#values.get(currency) ?? 1;
  }
}

/** The first instrument that reaches a currency sets its value; the rates of later ones are derived. */
function startValues(instruments: readonly Instrument[]): ReadonlyMap<string, number> {
  const values = new Map([[configuredCurrency, 1]]);
  let left = instruments;
  while (left.length > 0) {
    const unreached: Instrument[] = [];
    for (const instrument of left) {
      const { base, quote, startRate, scale } = instrument;
      const rate = startRate / scale;
      const [baseValue, quoteValue] = [values.get(base), values.get(quote)];
      if (quoteValue !== undefined) values.set(base, baseValue ?? quoteValue * rate);
      else if (baseValue !== undefined) values.set(quote, baseValue / rate);
      else unreached.push(instrument);
    }
    // None of the remaining currencies trades against one with a value.
    const [first] = unreached;
    if (first !== undefined && unreached.length === left.length) values.set(first.quote, 1);
    left = unreached;
  }
  return values;
}
