import type { Instrument } from "../instruments/instrument.ts";
import { hasPrice, type Quote } from "./quote.ts";

export const accountCurrency = "USD";

/** How money in an instrument's quote currency becomes dollars. */
export interface Conversion {
  /** Null: it is dollars. */
  readonly via: Instrument | null;
  /** The dollar is the base of `via`, so that one divides by its rate. */
  readonly isInverse: boolean;
}

/** The integer fraction that an amount in the quote currency is multiplied by. */
export interface ConversionRate {
  readonly numerator: number;
  readonly denominator: number;
}

const dollars: ConversionRate = { numerator: 1, denominator: 1 };

/** @throws TypeError no instrument converts the quote currency */
export function findConversion(
  instrument: Instrument,
  instruments: Iterable<Instrument>,
): Conversion {
  const currency = instrument.quote;
  if (currency === accountCurrency) return { via: null, isInverse: false };
  for (const via of instruments) {
    if (via.base === accountCurrency && via.quote === currency) return { via, isInverse: true };
    if (via.base === currency && via.quote === accountCurrency) return { via, isInverse: false };
  }
  throw new TypeError(
    `The profit of ${instrument.symbol} is in ${currency}: add the instrument ${accountCurrency}/${currency} or ${currency}/${accountCurrency}`,
  );
}

/**
 * At the middle between bid and ask.
 * @returns null where the instrument that converts has no price yet
 */
export function conversionRate(
  { via, isInverse }: Conversion,
  quote: Quote | undefined,
): ConversionRate | null {
  if (via === null) return dollars;
  if (quote === undefined || !hasPrice(quote)) return null;
  const twiceTheMiddle = quote.bid + quote.ask;
  const twiceTheScale = 2 * via.scale;
  return isInverse
    ? { numerator: twiceTheScale, denominator: twiceTheMiddle }
    : { numerator: twiceTheMiddle, denominator: twiceTheScale };
}
