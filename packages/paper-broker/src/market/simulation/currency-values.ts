import { configuredCurrency } from "../../engine/conversion.ts";
import type { Instrument } from "../../instruments/instrument.ts";
import type { Random } from "../random.ts";
import { currencyModel, ownShare } from "./currency.ts";

/** A value is drawn back to its start by this part of its distance in a year: half of it in two months. */
const reversion = 4;

/**
 * What every currency is worth in dollars. A rate is the quotient of two values, so that no way around three
 * currencies gains anything. Only what IEEE 754 rounds exactly is used: every machine gets the same values.
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

  /** @param values of an earlier one, in the order that `values` gives; null: those of the start rates */
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

  /** JSON: in the order of the currencies, without the dollar. */
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
      // No market comes near zero, however long it runs.
      this.#values.set(name, Math.max(moved, start / 4));
    }
  }

  /** The middle between bid and ask, in points; need not be whole. */
  rate({ base, quote, scale }: Instrument): number {
    return (this.#of(base) / this.#of(quote)) * scale;
  }

  #of(currency: string): number {
    return this.#values.get(currency) ?? 1;
  }
}

/** The first instrument that reaches a currency says what it is worth; later ones are derived. */
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
    // None of these is traded against a currency of the others.
    const [first] = unreached;
    if (first !== undefined && unreached.length === left.length) values.set(first.quote, 1);
    left = unreached;
  }
  return values;
}
