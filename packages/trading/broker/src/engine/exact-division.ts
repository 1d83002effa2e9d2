/**
 * `a * b * c / divisor`, rounded to the nearest integer, halves away from zero. All are integers
 * and the divisor is positive; the result is exact, however large the product.
 */
export function multiplyDivide(a: number, b: number, c: number, divisor: number): number {
  const product = a * b * c;
  if (Math.abs(product) > Number.MAX_SAFE_INTEGER) return divideBig(a, b, c, divisor);
  // The remainder of safe integers is exact, and so is dividing a multiple.
  const remainder = product % divisor;
  const quotient = (product - remainder) / divisor;
  const rounded = Math.abs(remainder) * 2 >= divisor ? quotient + Math.sign(remainder) : quotient;
  // Avoids negative zero, which compares unequal in snapshots.
  return rounded + 0;
}

/** multiplyDivide for any number of factors and divisors. */
export function multiplyDivideAll(factors: readonly number[], divisors: readonly number[]): number {
  const [a = 1, b = 1, c = 1, ...others] = factors;
  const [divisor = 1, ...further] = divisors;
  return others.length === 0 && further.length === 0
    ? multiplyDivide(a, b, c, divisor)
    : divideProducts(factors, divisors);
}

const divideBig = (a: number, b: number, c: number, divisor: number): number =>
  divideProducts([a, b, c], [divisor]);

function divideProducts(factors: readonly number[], divisors: readonly number[]): number {
  const productOf = (numbers: readonly number[]): bigint =>
    numbers.reduce((all, number) => all * BigInt(number), 1n);
  const product = productOf(factors);
  const by = productOf(divisors);
  const remainder = product % by;
  const quotient = product / by;
  const size = remainder < 0n ? -remainder : remainder;
  const step = size * 2n >= by ? (remainder < 0n ? -1n : 1n) : 0n;
  return Number(quotient + step);
}

/** Rounds cents, halves away from zero. */
export function roundCents(cents: number): number {
  return Math.sign(cents) * Math.round(Math.abs(cents)) + 0;
}
