import { Activity } from "./activity.ts";
import { AddressBook } from "./address-book.ts";
import { Column } from "./column.ts";
import type { Earnings } from "./earnings.ts";
import { sum, wholePart } from "./exact-sum.ts";
import type { SwapRules } from "./swap-rules.ts";

/** The activity of all addresses. */
export class Accounts {
  readonly book: AddressBook;
  /** Up to the beginning of the last 24 hours. */
  readonly before: Activity;
  /** In the last 24 hours. */
  readonly recent: Activity;
  readonly #openPositions = new Column(0);

  /** @param expected how many accounts there may be; the tables are sized so that they never grow: growing is one long pause */
  constructor(expected: number) {
    this.book = new AddressBook(expected);
    this.before = new Activity(expected);
    this.recent = new Activity(expected);
  }

  addOpenPosition(number: number): void {
    this.#openPositions.set(number, this.#openPositions.get(number) + 1);
  }

  /** Frees most of the data of `pieceSize` accounts that are finished. */
  forget(piece: number): void {
    this.before.forget(piece);
    this.recent.forget(piece);
    this.#openPositions.forget(piece);
  }

  /** The only place where anything is rounded: after everything was added. */
  earnings(number: number, rules: SwapRules): Earnings {
    const { before, recent } = this;
    const recentlySwapped = recent.swapped(number);
    const recentlyEarned = recent.earned(number);
    return {
      swaps: before.swaps(number) + recent.swaps(number),
      openPositions: this.#openPositions.get(number),
      swapPoints: rules.points(before.swapped(number) + recentlySwapped),
      recentSwapPoints: rules.points(recentlySwapped),
      lpPoints: wholePart(sum(before.earned(number), recentlyEarned)),
      recentLpPoints: wholePart(recentlyEarned),
    };
  }
}
