/**
 * Sums of fractions whose integer part is exact. A quotient is an integer number of 2^-384 units, rounded down,
 * and every sum knows an upper bound of its rounding, `error`, in these units. Amounts are below 2^128 and there
 * are fewer than 2^40 roundings, so the error is below 2^-216. So a true integer (the share of a sole owner) is
 * always recognised; another value is taken for one only if it lies within 2^-216 below it.
 */
const fractionBits = 384n;

/** The exact value is at least `low` units, and less than `error` units larger, or equal. */
export interface ExactSum {
  readonly low: bigint;
  readonly error: bigint;
}

/** The largest integer that does not exceed it. */
export function wholePart({ low, error }: ExactSum): bigint {
  if (low === 0n) return 0n;
  return (error > 0n ? low + error - 1n : low) >> fractionBits;
}

/** The quotient of two integers. */
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

/** `factor` times what was added between two states of a sum. */
export function multiple(factor: bigint, from: ExactSum, to: ExactSum): ExactSum {
  return { low: factor * (to.low - from.low), error: factor * (to.error - from.error) };
}

export const nothing: ExactSum = { low: 0n, error: 0n };
