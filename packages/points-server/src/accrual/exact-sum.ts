/**
 * Sums of fractions, exact to the whole number below. A quotient is kept as an integer of 2^-384, rounded
 * down, and every sum knows how far below the true value its roundings may have left it: by less than
 * `error` of these units. Amounts are below 2^128 and roundings rarer than 2^40, so that the error is
 * below 2^-216: a true value that is a whole number, as that of a pool's only owner, is always found,
 * and one that is not would have to lie closer than that below a whole number to be taken for it.
 */
const fractionBits = 384n;

/** What exact arithmetic gives is at least this many units, and less than `error` more, or equal. */
export interface ExactSum {
  readonly low: bigint;
  readonly error: bigint;
}

/** The largest whole number that is not above it. */
export function wholePart({ low, error }: ExactSum): bigint {
  if (low === 0n) return 0n;
  return (error > 0n ? low + error - 1n : low) >> fractionBits;
}

/** A quotient of whole numbers. */
export function quotient(dividend: bigint, divisor: bigint): ExactSum {
  const scaled = dividend << fractionBits;
  const low = scaled / divisor;
  return { low, error: low * divisor === scaled ? 0n : 1n };
}

export function sum(a: ExactSum, b: ExactSum): ExactSum {
  if (a === nothing) return b;
  if (b === nothing) return a;
  return { low: a.low + b.low, error: a.error + b.error };
}

/** A multiple of what was added between two states of a sum. */
export function multiple(factor: bigint, from: ExactSum, to: ExactSum): ExactSum {
  return { low: factor * (to.low - from.low), error: factor * (to.error - from.error) };
}

export const nothing: ExactSum = { low: 0n, error: 0n };
