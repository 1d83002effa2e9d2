import { AmountColumn } from "./amount-column.ts";
import { type ExactSum, nothing, sum } from "./exact-sum.ts";

/**
 * What addresses did in a stretch of time, before anything is rounded. Each column has a value for every
 * number of the address book: there may be millions of them, and objects would take three times the memory.
 */
export class Activity {
  readonly #swaps: number[] = [];
  readonly #swapped = new AmountColumn();
  readonly #low: bigint[] = [];
  readonly #error: bigint[] = [];

  /** Makes place for one more address. */
  extend(): void {
    this.#swaps.push(0);
    this.#low.push(0n);
    this.#error.push(0n);
  }

  swaps(number: number): number {
    return this.#swaps[number] ?? 0;
  }

  /** What the swaps were worth, in millionths of a dollar. */
  swapped(number: number): bigint {
    return this.#swapped.get(number);
  }

  /** What liquidity has earned. */
  earned(number: number): ExactSum {
    const low = this.#low[number] ?? 0n;
    return low === 0n ? nothing : { low, error: this.#error[number] ?? 0n };
  }

  /** @param value of all of them, a decimal integer */
  addSwaps(number: number, swaps: number, value: string): void {
    this.#swaps[number] = this.swaps(number) + swaps;
    this.#swapped.add(number, value);
  }

  addEarned(number: number, earned: ExactSum): void {
    if (earned.low === 0n) return;
    const { low, error } = sum(this.earned(number), earned);
    this.#low[number] = low;
    this.#error[number] = error;
  }
}
