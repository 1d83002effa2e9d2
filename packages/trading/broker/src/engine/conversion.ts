import type { Instrument } from "../instruments/instrument.ts";
import { multiplyDivideAll } from "./exact-division.ts";
import { hasPrice, type Quote } from "./quote.ts";

/** The currency of configured margins, swaps and commission. */
export const configuredCurrency = "USD";

/** A step from one currency to another, at an instrument's mid price. */
interface Hop {
  readonly via: Instrument;
  /** True: the step leads to the base currency of `via`, so it divides by the rate. */
  readonly isInverse: boolean;
}

/** How money converts from one currency to another: in no step, one, or two. */
export type Conversion = readonly Hop[];

/** The fraction that an amount is multiplied by; numerator and denominator are products of integers. */
export interface ConversionRate {
  readonly numerators: readonly number[];
  readonly denominators: readonly number[];
}

const unchanged: ConversionRate = { numerators: [], denominators: [] };

/**
 * Converts directly if an instrument has both currencies, else through dollars.
 * @throws TypeError no instruments convert one to the other
 */
export function findConversion(
  from: string,
  to: string,
  instruments: readonly Instrument[],
): Conversion {
  if (from === to) return [];
  const direct = findHop(from, to, instruments);
  if (direct !== null) return [direct];
  const first = findHop(from, configuredCurrency, instruments);
  const second = findHop(configuredCurrency, to, instruments);
  if (first !== null && second !== null) return [first, second];
  const lacking = first === null && from !== configuredCurrency ? from : to;
  const other = lacking === configuredCurrency ? from : configuredCurrency;
  throw new TypeError(
    `Money in ${from} cannot be converted to ${to}: add the instrument ${other}/${lacking} or ${lacking}/${other}`,
  );
}

function findHop(from: string, to: string, instruments: readonly Instrument[]): Hop | null {
  for (const via of instruments) {
    if (via.base === to && via.quote === from) return { via, isInverse: true };
    if (via.base === from && via.quote === to) return { via, isInverse: false };
  }
  return null;
}

/**
 * The rate at mid prices.
 * @returns null if a converting instrument has no price yet
 */
export function conversionRate(
  conversion: Conversion,
  quotes: ReadonlyMap<string, Quote>,
): ConversionRate | null {
  if (conversion.length === 0) return unchanged;
  const numerators: number[] = [];
  const denominators: number[] = [];
  for (const { via, isInverse } of conversion) {
    const quote = quotes.get(via.symbol);
    if (quote === undefined || !hasPrice(quote)) return null;
    const twiceTheMiddle = quote.bid + quote.ask;
    const twiceTheScale = 2 * via.scale;
    numerators.push(isInverse ? twiceTheScale : twiceTheMiddle);
    denominators.push(isInverse ? twiceTheMiddle : twiceTheScale);
  }
  return { numerators, denominators };
}

/** Converts cents to the other currency; 0 if there is no rate yet. */
export function convertCents(cents: number, rate: ConversionRate | null): number {
  if (rate === null) return 0;
  if (rate === unchanged) return cents;
  return multiplyDivideAll([cents, ...rate.numerators], rate.denominators);
}
