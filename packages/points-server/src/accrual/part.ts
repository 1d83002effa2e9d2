import type { LedgerReader, Stream } from "../ledger/ledger-reader.ts";
import type { Accounts } from "./accounts.ts";
import type { BaseEntry } from "./base.ts";

/** What is computed apart from the rest: all swaps, or one pool. A base has a part for each. */
export interface Part {
  /** Tells it from the others, for ever. */
  readonly name: string;
  /** Of its blocks in the base. */
  readonly number: number;
  /** What its sums depend on beside the events. */
  readonly rules: string;
  /** Where its events are. */
  readonly streams: readonly Stream[];
  accrue(accounts: Accounts, span: Span): Promise<void>;
}

/** What a part starts from and how far it goes. */
export interface Span {
  readonly reader: LedgerReader;
  /** Null: it starts from nothing. */
  readonly base: PartBase | null;
  /** Unix seconds: where the last 24 hours begin … */
  readonly windowStart: number;
  /** … and where they end. */
  readonly time: number;
  /** What had arrived with a larger one is left out. */
  readonly seq: number;
  /** Takes what all had come to by `windowStart`; null: nobody asks for it. */
  readonly writeBase: ((entries: Iterable<BaseEntry>) => Promise<void>) | null;
}

export interface PartBase {
  readonly time: number;
  readonly entries: AsyncIterable<readonly BaseEntry[]>;
}

/** Before every time of an event. */
export const beforeAll: number = -1;
