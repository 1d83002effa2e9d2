import { Activity } from "./activity.ts";
import { AddressBook } from "./address-book.ts";
import type { Earnings } from "./earnings.ts";
import { sum, wholePart } from "./exact-sum.ts";
import type { SwapRules } from "./swap-rules.ts";

/** What all addresses have done. */
export class Accounts {
  readonly book: AddressBook = new AddressBook();
  /** Until the last 24 hours began. */
  readonly before: Activity = new Activity();
  /** In the last 24 hours. */
  readonly recent: Activity = new Activity();
  readonly #openPositions: number[] = [];

  /** The number of an address. */
  numberOf(address: string): number {
    const number = this.book.numberOf(address);
    if (number === this.#openPositions.length) {
      this.#openPositions.push(0);
      this.before.extend();
      this.recent.extend();
    }
    return number;
  }

  addOpenPosition(number: number): void {
    this.#openPositions[number] = (this.#openPositions[number] ?? 0) + 1;
  }

  /** The one time that anything is rounded: when all was added. */
  earnings(number: number, rules: SwapRules): Earnings {
    const { before, recent } = this;
    const recentlySwapped = recent.swapped(number);
    const recentlyEarned = recent.earned(number);
    return {
      swaps: before.swaps(number) + recent.swaps(number),
      openPositions: this.#openPositions[number] ?? 0,
      swapPoints: rules.points(before.swapped(number) + recentlySwapped),
      recentSwapPoints: rules.points(recentlySwapped),
      lpPoints: wholePart(sum(before.earned(number), recentlyEarned)),
      recentLpPoints: wholePart(recentlyEarned),
    };
  }
}
