import type { Instrument } from "../instruments/instrument.ts";
import { multiplyDivideAll } from "./exact-division.ts";
import { hasPrice, type Quote } from "./quote.ts";

/** What margins, swaps and commission are configured in. */
export const configuredCurrency = "USD";

/** A step from one currency to another, at the middle of an instrument's price. */
interface Hop {
  readonly via: Instrument;
  /** The currency that one comes to is the base of `via`, so that one divides by its rate. */
  readonly isInverse: boolean;
}

/** How money in one currency becomes another one: nothing to do, one step, or two. */
export type Conversion = readonly Hop[];

/** The integer fractions that an amount is multiplied by: the products of each list. */
export interface ConversionRate {
  readonly numerators: readonly number[];
  readonly denominators: readonly number[];
}

const unchanged: ConversionRate = { numerators: [], denominators: [] };

/**
 * By the instrument of both currencies where there is one, else over dollars.
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
    `Money in ${from} cannot become ${to}: add the instrument ${other}/${lacking} or ${lacking}/${other}`,
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
 * At the middle between bid and ask.
 * @returns null where an instrument that converts has no price yet
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

/** An amount in cents, in the other currency; 0 where there is no rate yet. */
export function convertCents(cents: number, rate: ConversionRate | null): number {
  if (rate === null) return 0;
  if (rate === unchanged) return cents;
  return multiplyDivideAll([cents, ...rate.numerators], rate.denominators);
}
