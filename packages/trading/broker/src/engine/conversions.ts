import type { Instrument } from "../instruments/instrument.ts";
import {
  type Conversion,
  type ConversionRate,
  configuredCurrency,
  conversionRate,
  findConversion,
} from "./conversion.ts";
import type { Quote } from "./quote.ts";

/** All conversions that a market's accounts need. */
export class Conversions {
  /** The accounts' currency; dollars if they have several. */
  readonly currency: string;
  readonly #quotes: ReadonlyMap<string, Quote>;
  /** By source currency, then by target. */
  readonly #known = new Map<string, Map<string, Conversion>>();
  /** By converting symbol: the symbols whose profit it converts. */
  readonly #convertedBy = new Map<string, string[]>();
  readonly #currenciesMovedBy = new Map<string, string[]>();

  /**
   * @param currencies of the accounts
   * @throws TypeError no instruments convert a profit to an account's currency
   */
  constructor(
    instruments: readonly Instrument[],
    currencies: readonly string[],
    quotes: ReadonlyMap<string, Quote>,
  ) {
    this.#quotes = quotes;
    const own = new Set(currencies);
    const [first = configuredCurrency] = own;
    this.currency = own.size > 1 ? configuredCurrency : first;
    for (const currency of new Set([configuredCurrency, ...own])) {
      const toOwn = this.#learn(configuredCurrency, currency, instruments);
      for (const { via } of toOwn) add(this.#currenciesMovedBy, via.symbol, currency);
      this.#learn(currency, this.currency, instruments);
      // Offers show the value of a pip in the market's currency.
      if (!own.has(currency) && currency !== this.currency) continue;
      for (const { symbol, quote } of instruments)
        for (const { via } of this.#learn(quote, currency, instruments))
          if (via.symbol !== symbol) add(this.#convertedBy, via.symbol, symbol);
    }
  }

  /** A rate that an account or the market needs; null if a converting instrument has no price yet. */
  rate(from: string, to: string): ConversionRate | null {
    const conversion = this.#known.get(from)?.get(to);
    if (conversion === undefined) throw new Error(`no account needs ${from} in ${to}`);
    return conversionRate(conversion, this.#quotes);
  }

  convertedBy(symbol: string): readonly string[] {
    return this.#convertedBy.get(symbol) ?? [];
  }

  currenciesMovedBy(symbol: string): readonly string[] {
    return this.#currenciesMovedBy.get(symbol) ?? [];
  }

  #learn(from: string, to: string, instruments: readonly Instrument[]): Conversion {
    const conversion = findConversion(from, to, instruments);
    const known = this.#known.get(from) ?? new Map<string, Conversion>();
    this.#known.set(from, known.set(to, conversion));
    return conversion;
  }
}

function add(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key) ?? [];
  if (!list.includes(value)) lists.set(key, [...list, value]);
}
