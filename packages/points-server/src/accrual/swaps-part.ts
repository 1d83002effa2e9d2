import type { EventRange, StoredSwap, Stream } from "../ledger/ledger-reader.ts";
import type { Accounts } from "./accounts.ts";
import type { BaseEntry } from "./base.ts";
import { beforeAll, type Part, type Span } from "./part.ts";

/** All swaps of the program's pairs. They only add up, so that their order means nothing. */
export class SwapsPart implements Part {
  readonly name = "swaps";
  readonly number = 0;
  readonly rules: string;
  readonly streams: readonly Stream[];

  /** @param pairs the keys of their streams @param streams those of them that there are */
  constructor(pairs: Iterable<string>, streams: readonly Stream[]) {
    this.rules = [...pairs].sort().join(" ");
    this.streams = streams;
  }

  async accrue(accounts: Accounts, span: Span): Promise<void> {
    const { base, windowStart, time, writeBase } = span;
    if (base !== null) {
      for await (const entries of base.entries) {
        for (const [address, swaps, value] of entries) {
          const number = accounts.numberOf(String(address));
          accounts.addSwaps(number, Number(swaps), BigInt(value ?? 0));
        }
      }
    }
    await this.#read(span, base?.time ?? beforeAll, windowStart, ({ address, amount }) => {
      accounts.addSwaps(accounts.numberOf(address), 1, BigInt(amount));
    });
    await writeBase?.(entriesOf(accounts));
    await this.#read(span, windowStart, time, ({ address, amount }) => {
      accounts.addRecentSwap(accounts.numberOf(address), BigInt(amount));
    });
  }

  async #read(
    { reader, seq }: Span,
    after: number,
    until: number,
    take: (swap: StoredSwap) => void,
  ): Promise<void> {
    for (const { id: stream } of this.streams) {
      const range: EventRange = { stream, after, until, seq };
      for await (const swaps of reader.swaps(range)) swaps.forEach(take);
    }
  }
}

function* entriesOf(accounts: Accounts): Generator<BaseEntry> {
  for (const { address, swaps, value } of accounts.swapTotals()) {
    yield [address, swaps, String(value)];
  }
}
