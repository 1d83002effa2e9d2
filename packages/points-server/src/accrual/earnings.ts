import type { AddressBook } from "./address-book.ts";

/** What all addresses have earned, in whole units: columns with a value for every number of the book. */
export interface Earnings {
  readonly book: AddressBook;
  /** Swaps of the program's pairs. */
  readonly swaps: readonly number[];
  readonly openPositions: readonly number[];
  readonly swapPoints: readonly bigint[];
  readonly recentSwapPoints: readonly bigint[];
  readonly lpPoints: readonly bigint[];
  readonly recentLpPoints: readonly bigint[];
}
