import { packTexts } from "../bytes/packed-texts.ts";
import type { Accounts } from "./accounts.ts";
import type { BaseEntry } from "./base.ts";
import type { PoolAccrual, PositionState } from "./pool-accrual.ts";

/** The number of the part with the accounts; a pool's part has the number of its stream. */
export const accountsPart = 0;

/** Ordered by account number, so that positions can refer to their owners by it. */
export function* accountEntries({ book, before }: Accounts): Generator<BaseEntry> {
  for (let number = 0; number < book.size; number += 1) {
    const done = [book.addressOf(number), before.swaps(number), String(before.swapped(number))];
    const { low, error } = before.earned(number);
    yield low === 0n ? done : [...done, toHex(low), toHex(error)];
  }
}

export function restoreAccounts({ book, before }: Accounts, entries: readonly BaseEntry[]): void {
  const numbers = book.numbersOf(packTexts(entries.map(([address]) => String(address))));
  for (const [index, [, swaps, value, low, error]] of entries.entries()) {
    const number = numbers[index] ?? 0;
    before.addSwaps(number, Number(swaps), String(value));
    if (low === undefined) continue;
    before.addEarned(number, { low: BigInt(low), error: BigInt(error ?? 0) });
  }
}

export function* positionEntries(pool: PoolAccrual): Generator<BaseEntry> {
  for (const { owner, liquidity, position } of pool.positions()) {
    yield [owner, String(liquidity), position];
  }
}

export function readPosition([owner, liquidity, position]: BaseEntry): PositionState {
  return { owner: Number(owner), liquidity: BigInt(liquidity ?? 0), position: String(position) };
}

/** Large integers are read and written faster in hexadecimal. */
const toHex = (integer: bigint): string => `0x${integer.toString(16)}`;
