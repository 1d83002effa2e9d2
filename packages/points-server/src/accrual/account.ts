import { type ExactSum, wholePart } from "./exact-sum.ts";
import type { SwapRules } from "./swap-rules.ts";

/** What an address has done and earned, until now and in the last 24 hours. */
export class Account {
  readonly address: string;
  /** Its place among all accounts, from 0. */
  readonly index: number;
  /** Swaps of the program's pairs. */
  swaps = 0;
  /** What they were worth, in millionths of a dollar. */
  swapped = 0n;
  recentlySwapped = 0n;
  openPositions = 0;
  /** Points, whole ones once `count` was called. */
  swapPoints = 0n;
  recentSwapPoints = 0n;
  lpPoints = 0n;
  recentLpPoints = 0n;
  #earned: ExactSum | null = null;
  #recentlyEarned: ExactSum | null = null;

  constructor(address: string, index: number) {
    this.address = address;
    this.index = index;
  }

  earn(sum: ExactSum): void {
    this.#earned = plus(this.#earned, sum);
  }

  earnRecently(sum: ExactSum): void {
    this.earn(sum);
    this.#recentlyEarned = plus(this.#recentlyEarned, sum);
  }

  /** The only time that anything is rounded: once all was added, and never again. */
  count(rules: SwapRules): void {
    this.swapPoints = rules.points(this.swapped);
    this.recentSwapPoints = rules.points(this.recentlySwapped);
    if (this.#earned !== null) this.lpPoints = wholePart(this.#earned);
    if (this.#recentlyEarned !== null) this.recentLpPoints = wholePart(this.#recentlyEarned);
    // These are most of what an account takes in memory.
    this.#earned = null;
    this.#recentlyEarned = null;
  }
}

/** The accounts of all addresses that have done something. */
export class Accounts {
  readonly #accounts = new Map<string, Account>();

  get size(): number {
    return this.#accounts.size;
  }

  [Symbol.iterator](): IterableIterator<Account> {
    return this.#accounts.values();
  }

  of(address: string): Account {
    let account = this.#accounts.get(address);
    if (account === undefined) {
      account = new Account(address, this.#accounts.size);
      this.#accounts.set(address, account);
    }
    return account;
  }
}

function plus(sum: ExactSum | null, { low, error }: ExactSum): ExactSum {
  return sum === null ? { low, error } : { low: sum.low + low, error: sum.error + error };
}
