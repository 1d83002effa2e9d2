/** An exact rational number. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const zero: Fraction = { numerator: 0n, denominator: 1n };

export function plus(a: Fraction, b: Fraction): Fraction {
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  };
}

export const floor = ({ numerator, denominator }: Fraction): bigint => numerator / denominator;
