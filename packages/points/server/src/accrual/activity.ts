import { AmountColumn } from "./amount-column.ts";
import { Column } from "./column.ts";
import { type ExactSum, nothing, sum } from "./exact-sum.ts";

/**
 * What addresses did in a period, before anything is rounded. Each column has a value for every number of the
 * address book: there may be millions, and objects would take three times the memory.
 */
export class Activity {
  readonly #swaps = new Column(0);
  readonly #swapped: AmountColumn;
  readonly #low = new Column(0n);
  readonly #error = new Column(0n);

  /** @param expected how many addresses there may be */
  constructor(expected: number) {
    this.#swapped = new AmountColumn(expected);
  }

  swaps(number: number): number {
    return this.#swaps.get(number);
  }

  /** The value of the swaps in millionths of a dollar, each multiplied by its weight. */
  swapped(number: number): bigint {
    return this.#swapped.get(number);
  }

  /** What liquidity earned. */
  earned(number: number): ExactSum {
    const low = this.#low.get(number);
    return low === 0n ? nothing : { low, error: this.#error.get(number) };
  }

  /** Frees everything but the value of the swaps. @param piece of `pieceSize` addresses */
  forget(piece: number): void {
    this.#swaps.forget(piece);
    this.#low.forget(piece);
    this.#error.forget(piece);
  }

  /** @param value of all these swaps, weighted: an integer or its decimal digits */
  addSwaps(number: number, swaps: number, value: bigint | string): void {
    this.#swaps.set(number, this.#swaps.get(number) + swaps);
    this.#swapped.add(number, value);
  }

  addEarned(number: number, earned: ExactSum): void {
    if (earned.low === 0n) return;
    const { low, error } = sum(this.earned(number), earned);
    this.#low.set(number, low);
    this.#error.set(number, error);
  }
}
