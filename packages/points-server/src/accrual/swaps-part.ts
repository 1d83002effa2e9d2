import type { EventRange, StoredSwap } from "../ledger/ledger-reader.ts";
import type { Account, Accounts } from "./account.ts";
import type { BaseEntry } from "./base.ts";
import { beforeAll, type Part, type Span } from "./part.ts";

/** All swaps of the program's pairs. They only add up, so that their order means nothing. */
export class SwapsPart implements Part {
  readonly name = "swaps";
  readonly number = 0;
  readonly rules: string;
  readonly streams: readonly number[];

  /** @param pairs the keys of their streams @param streams those of them that there are */
  constructor(pairs: Iterable<string>, streams: readonly number[]) {
    this.rules = [...pairs].sort().join(" ");
    this.streams = streams;
  }

  async accrue(accounts: Accounts, span: Span): Promise<void> {
    const { base, windowStart, time, writeBase } = span;
    if (base !== null) {
      for await (const entries of base.entries) {
        for (const entry of entries) restore(accounts, entry);
      }
    }
    await this.#read(span, base?.time ?? beforeAll, windowStart, ({ address, amount }) => {
      addSwap(accounts.of(address), BigInt(amount));
    });
    await writeBase?.(entriesOf(accounts));
    await this.#read(span, windowStart, time, ({ address, amount }) => {
      const account = accounts.of(address);
      const value = BigInt(amount);
      addSwap(account, value);
      account.recentlySwapped += value;
    });
  }

  async #read(
    { reader, seq }: Span,
    after: number,
    until: number,
    take: (swap: StoredSwap) => void,
  ): Promise<void> {
    for (const stream of this.streams) {
      const range: EventRange = { stream, after, until, seq };
      for await (const swaps of reader.swaps(range)) swaps.forEach(take);
    }
  }
}

function addSwap(account: Account, value: bigint): void {
  account.swaps += 1;
  account.swapped += value;
}

function* entriesOf(accounts: Accounts): Generator<BaseEntry> {
  for (const { address, swaps, swapped } of accounts) {
    if (swaps > 0) yield [address, swaps, String(swapped)];
  }
}

function restore(accounts: Accounts, [address, swaps, swapped]: BaseEntry): void {
  const account = accounts.of(String(address));
  account.swaps = Number(swaps);
  account.swapped = BigInt(swapped ?? 0);
}
