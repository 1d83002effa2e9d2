/** Integers of up to this many digits are exact in floating point. */
const exactDigits = 15;
const maxExact = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Sums of amounts by account number. Sums that floating point represents exactly, nearly all of them, take a
 * tenth of the memory and time of bigints, which hold the others.
 */
export class AmountColumn {
  #exact: Float64Array;
  readonly #large = new Map<number, bigint>();

  /** @param expected how many accounts there may be; sized so that it never grows */
  constructor(expected = 0) {
    this.#exact = new Float64Array(Math.max(1 << 10, expected));
  }

  get(number: number): bigint {
    const exact = BigInt(this.#exact[number] ?? 0);
    return this.#large.size === 0 ? exact : exact + (this.#large.get(number) ?? 0n);
  }

  /** The nearest floating point number; it never decreases when the amount grows. */
  nearest(number: number): number {
    const hasLarge = this.#large.size > 0 && this.#large.has(number);
    return hasLarge ? Number(this.get(number)) : (this.#exact[number] ?? 0);
  }

  /** @param amount an integer, or its decimal digits */
  add(number: number, amount: bigint | string): void {
    if (number >= this.#exact.length) this.#extend(number);
    if (isExact(amount)) {
      const sum = (this.#exact[number] ?? 0) + Number(amount);
      if (sum <= Number.MAX_SAFE_INTEGER) {
        this.#exact[number] = sum;
        return;
      }
    }
    this.#large.set(number, (this.#large.get(number) ?? 0n) + BigInt(amount));
  }

  #extend(number: number): void {
    const extended = new Float64Array(2 * Math.max(number, this.#exact.length));
    extended.set(this.#exact);
    this.#exact = extended;
  }
}

function isExact(amount: bigint | string): boolean {
  return typeof amount === "string" ? amount.length <= exactDigits : amount <= maxExact;
}
