import type { LedgerReader, Stream } from "../ledger/ledger-reader.ts";
import { pairKey, poolKey } from "../ledger/streams.ts";
import type { Program } from "../program/program.ts";
import { Accounts } from "./accounts.ts";
import type { Base, BaseEntry, BaseStorage } from "./base.ts";
import type { Part } from "./part.ts";
import { PoolPart } from "./pool-part.ts";
import { Promotion } from "./promotion.ts";
import { SwapsPart } from "./swaps-part.ts";

/** The last 24 hours are what happened after `time - windowSeconds`, until `time`. */
export const windowSeconds: number = 24 * 60 * 60;

export interface AccrualOptions {
  readonly reader: LedgerReader;
  readonly program: Program;
  /** Unix seconds: what had happened until then … */
  readonly time: number;
  /** … and had arrived with this `seq` or before counts. */
  readonly seq: number;
  readonly base: Base | null;
  readonly storage: BaseStorage;
  /** So many events after a base the next one is written: it costs about as much as reading them. */
  readonly eventsPerBase: number;
}

export interface Accrual {
  readonly accounts: Accounts;
  /** The base that was written; null: the one there was stays. */
  readonly newBase: Omit<Base, "id"> | null;
}

/** What all addresses had come to. The same events give the same, whatever there is of a base. */
export async function accrue(options: AccrualOptions): Promise<Accrual> {
  const { reader, program, time, seq, storage, eventsPerBase } = options;
  const windowStart = time - windowSeconds;
  const parts = partsOf(program, await reader.streams());
  // A clock that was set back leaves a base that is too new.
  const base = options.base !== null && options.base.time <= windowStart ? options.base : null;
  const hasBase = ({ name, rules, streams }: Part): boolean =>
    base?.rules[name] === rules && streams.every(({ late_seq }) => late_seq <= base.seq);

  const isRenewed = base === null || seq - base.seq > eventsPerBase || !parts.every(hasBase);
  const accounts = new Accounts();
  for (const part of parts) {
    const partBase =
      base !== null && hasBase(part)
        ? { time: base.time, entries: storage.read(base, part.number) }
        : null;
    const writeBase = isRenewed
      ? (entries: Iterable<BaseEntry>) => storage.write(part.number, entries)
      : null;
    await part.accrue(accounts, { reader, base: partBase, windowStart, time, seq, writeBase });
  }
  if (!isRenewed) return { accounts, newBase: null };
  const rules = Object.fromEntries(parts.map((part) => [part.name, part.rules]));
  return { accounts, newBase: { time: windowStart, seq, rules } };
}

function partsOf(program: Program, streams: ReadonlyMap<string, Stream>): Part[] {
  const pairs = new Set(program.swapPairs.map(({ tokenX, tokenY }) => pairKey(tokenX, tokenY)));
  const pools = new Set(program.promotedPools.map(({ address }) => address));
  const pairStreams = [...pairs]
    .map((key) => streams.get(key))
    .filter((stream) => stream !== undefined);
  const parts: Part[] = [new SwapsPart(pairs, pairStreams)];
  for (const pool of pools) {
    const stream = streams.get(poolKey(pool));
    if (stream === undefined) continue;
    parts.push(new PoolPart(poolKey(pool), stream, new Promotion(program, pool)));
  }
  return parts;
}
