import type { Accounts } from "./accounts.ts";
import type { BaseEntry } from "./base.ts";
import type { PoolAccrual, PositionState } from "./pool-accrual.ts";

/** The number of the accounts' part; that of a pool's is the number of its stream. */
export const accountsPart = 0;

/** In the order of their numbers, so that positions can name their owners by these. */
export function* accountEntries({ book, before }: Accounts): Generator<BaseEntry> {
  for (let number = 0; number < book.size; number += 1) {
    const done = [book.addressOf(number), before.swaps(number), String(before.swapped(number))];
    const { low, error } = before.earned(number);
    yield low === 0n ? done : [...done, toHex(low), toHex(error)];
  }
}

export function restoreAccount(accounts: Accounts, entry: BaseEntry): void {
  const [address, swaps, value, low, error] = entry;
  const number = accounts.numberOf(String(address));
  accounts.before.addSwaps(number, Number(swaps), String(value));
  if (low === undefined) return;
  accounts.before.addEarned(number, { low: BigInt(low), error: BigInt(error ?? 0) });
}

export function* positionEntries(pool: PoolAccrual): Generator<BaseEntry> {
  for (const { owner, liquidity, position } of pool.positions()) {
    yield [owner, String(liquidity), position];
  }
}

export function readPosition([owner, liquidity, position]: BaseEntry): PositionState {
  return { owner: Number(owner), liquidity: BigInt(liquidity ?? 0), position: String(position) };
}

/** Long integers are read and written faster in hexadecimal. */
const toHex = (integer: bigint): string => `0x${integer.toString(16)}`;
