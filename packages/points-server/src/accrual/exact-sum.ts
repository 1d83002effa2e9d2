/**
 * Sums of fractions, exact to the whole number below. A quotient is kept as an integer of 2^-384, rounded
 * down, and every sum knows how far below the true value its roundings may have left it: by less than
 * `error` of these units. Amounts are below 2^128 and roundings rarer than 2^40, so that the error is
 * below 2^-216: a true value that is a whole number, as that of a pool's only owner, is always found,
 * and one that is not would have to lie closer than that below a whole number to be taken for it.
 */
const fractionBits = 384n;

/** What exact arithmetic would give is at least this many units, and less than `error` more (or equal). */
export interface ExactSum {
  low: bigint;
  error: bigint;
}

/** The largest whole number that is not above it. */
export function wholePart({ low, error }: ExactSum): bigint {
  return (error > 0n ? low + error - 1n : low) >> fractionBits;
}

/** In units of 2^-384, rounded down. */
export function quotient(dividend: bigint, divisor: bigint): { units: bigint; isExact: boolean } {
  const scaled = dividend << fractionBits;
  const units = scaled / divisor;
  return { units, isExact: units * divisor === scaled };
}
