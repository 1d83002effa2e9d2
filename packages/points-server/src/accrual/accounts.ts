import { AddressBook } from "./address-book.ts";
import type { Earnings } from "./earnings.ts";
import { type ExactSum, wholePart } from "./exact-sum.ts";
import type { SwapRules } from "./swap-rules.ts";

/**
 * Sums up what all addresses do, until now and in the last 24 hours. Columns have a value for every number
 * of the address book: there may be millions, and objects for them would take three times the memory.
 */
export class Accounts {
  readonly #book = new AddressBook();
  readonly #swaps: number[] = [];
  /** In millionths of a dollar. */
  readonly #swapped: bigint[] = [];
  readonly #recentlySwapped: bigint[] = [];
  readonly #openPositions: number[] = [];
  readonly #earned = new ExactSums();
  readonly #recentlyEarned = new ExactSums();

  /** The number of an address. */
  numberOf(address: string): number {
    const number = this.#book.numberOf(address);
    if (number === this.#swaps.length) {
      this.#swaps.push(0);
      this.#swapped.push(0n);
      this.#recentlySwapped.push(0n);
      this.#openPositions.push(0);
      this.#earned.extend();
      this.#recentlyEarned.extend();
    }
    return number;
  }

  addSwaps(number: number, swaps: number, value: bigint): void {
    this.#swaps[number] = (this.#swaps[number] ?? 0) + swaps;
    this.#swapped[number] = (this.#swapped[number] ?? 0n) + value;
  }

  addRecentSwap(number: number, value: bigint): void {
    this.addSwaps(number, 1, value);
    this.#recentlySwapped[number] = (this.#recentlySwapped[number] ?? 0n) + value;
  }

  /** All that was added so far. */
  *swapTotals(): Generator<{ address: string; swaps: number; value: bigint }> {
    for (const [number, swaps] of this.#swaps.entries()) {
      const address = this.#book.addressOf(number);
      if (swaps > 0) yield { address, swaps, value: this.#swapped[number] ?? 0n };
    }
  }

  addLiquidity(number: number, earned: ExactSum): void {
    this.#earned.add(number, earned);
  }

  addRecentLiquidity(number: number, earned: ExactSum, openPositions: number): void {
    this.#earned.add(number, earned);
    this.#recentlyEarned.add(number, earned);
    this.#openPositions[number] = (this.#openPositions[number] ?? 0) + openPositions;
  }

  /** The one time that anything is rounded: when all was added. Nothing can be added any more. */
  count(rules: SwapRules): Earnings {
    const points = (value: bigint): bigint => (value === 0n ? 0n : rules.points(value));
    return {
      book: this.#book,
      swaps: this.#swaps,
      openPositions: this.#openPositions,
      swapPoints: taken(this.#swapped).map(points),
      recentSwapPoints: taken(this.#recentlySwapped).map(points),
      lpPoints: this.#earned.takeWholeParts(),
      recentLpPoints: this.#recentlyEarned.takeWholeParts(),
    };
  }
}

/** A column of exact sums. */
class ExactSums {
  readonly #low: bigint[] = [];
  readonly #error: bigint[] = [];

  extend(): void {
    this.#low.push(0n);
    this.#error.push(0n);
  }

  add(number: number, { low, error }: ExactSum): void {
    if (low === 0n) return;
    this.#low[number] = (this.#low[number] ?? 0n) + low;
    this.#error[number] = (this.#error[number] ?? 0n) + error;
  }

  takeWholeParts(): bigint[] {
    const errors = taken(this.#error);
    return taken(this.#low).map((low, number) => {
      return low === 0n ? 0n : wholePart({ low, error: errors[number] ?? 0n });
    });
  }
}

/** The values of a column, which is empty then: they are most of what takes memory. */
function taken(column: bigint[]): bigint[] {
  return column.splice(0);
}
