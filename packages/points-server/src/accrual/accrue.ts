import {
  type EventPage,
  type EventRange,
  type EventSource,
  eventPages,
} from "../ledger/event-source.ts";
import { pairKey, poolKey } from "../ledger/streams.ts";
import type { Program } from "../program/program.ts";
import { giveWay } from "../threads/give-way.ts";
import { unpacked } from "../threads/packed-texts.ts";
import { Accounts } from "./accounts.ts";
import type { Activity } from "./activity.ts";
import type { Base, BaseStorage } from "./base.ts";
import {
  accountEntries,
  accountsPart,
  positionEntries,
  readPosition,
  restoreAccounts,
} from "./base-entries.ts";
import { PoolAccrual } from "./pool-accrual.ts";
import { Promotion } from "./promotion.ts";

/** The last 24 hours are what happened after `time - windowSeconds`, until `time`. */
export const windowSeconds: number = 24 * 60 * 60;
const eventsPerStep = 100;
/** Before every time of an event. */
const beforeAll = -1;

export interface AccrualOptions {
  readonly source: EventSource;
  /** The numbers of streams by their keys. */
  readonly streams: ReadonlyMap<string, number>;
  readonly signal: AbortSignal;
  readonly program: Program;
  /** Unix seconds: what had happened until then … */
  readonly time: number;
  /** … and had arrived with this `seq` or before counts. */
  readonly seq: number;
  /** Null: there is none that is of use. */
  readonly base: Base | null;
  readonly storage: BaseStorage;
  /** How many addresses there may be. */
  readonly expected: number;
  /** Whether to write a new base, as of the beginning of the last 24 hours. */
  readonly writesBase: boolean;
}

/** What all addresses had come to. The same events give the same, whatever there is of a base. */
export async function accrue(options: AccrualOptions): Promise<Accounts> {
  const { streams, program, base, storage, writesBase } = options;
  const accounts = new Accounts(options.expected);
  if (base !== null) {
    for await (const entries of storage.readBase(base, accountsPart)) {
      restoreAccounts(accounts, entries);
    }
  }
  const pairs = new Set(program.swapPairs.map(({ tokenX, tokenY }) => pairKey(tokenX, tokenY)));
  for (const pair of pairs) {
    const stream = streams.get(pair);
    if (stream !== undefined) await addSwaps(options, stream, accounts);
  }
  for (const pool of new Set(program.promotedPools.map(({ address }) => address))) {
    const stream = streams.get(poolKey(pool));
    if (stream === undefined) continue;
    await addPool(options, stream, new Promotion(program, pool), accounts);
  }
  if (writesBase) await storage.writeBase(accountsPart, accountEntries(accounts));
  return accounts;
}

async function addSwaps(
  options: AccrualOptions,
  stream: number,
  accounts: Accounts,
): Promise<void> {
  const { before, recent } = ranges(options, stream, "swap");
  const add = async (range: EventRange, into: Activity): Promise<void> => {
    for await (const { addresses, amounts } of pages(options, range)) {
      const numbers = accounts.book.numbersOf(addresses);
      let index = 0;
      for (const amount of unpacked(amounts)) into.addSwaps(numbers[index++] ?? 0, 1, amount);
    }
  };
  await add(before, accounts.before);
  await add(recent, accounts.recent);
}

async function addPool(
  options: AccrualOptions,
  stream: number,
  promotion: Promotion,
  accounts: Accounts,
): Promise<void> {
  const { base, storage, writesBase, time } = options;
  const { before, recent } = ranges(options, stream, "position");
  const pool = new PoolAccrual(promotion, before.after);
  if (base !== null) {
    for await (const entries of storage.readBase(base, stream)) {
      for (const entry of entries) pool.open(readPosition(entry));
    }
  }
  const apply = async (range: EventRange, into: Activity): Promise<void> => {
    for await (const page of pages(options, range)) applyEvents(pool, page, accounts, into);
  };
  await apply(before, accounts.before);
  pool.settle(before.until, accounts.before);
  if (writesBase) await storage.writeBase(stream, positionEntries(pool));
  await apply(recent, accounts.recent);
  pool.settle(time, accounts.recent);
  for (const { owner } of pool.positions()) accounts.addOpenPosition(owner);
}

function applyEvents(
  pool: PoolAccrual,
  { times, addresses, positions, amounts }: EventPage,
  { book }: Accounts,
  into: Activity,
): void {
  const owners = book.numbersOf(addresses);
  const liquidities = unpacked(amounts);
  let index = 0;
  for (const position of unpacked(positions)) {
    if (index % eventsPerStep === 0) giveWay();
    const [time = 0, owner = 0] = [times[index], owners[index]];
    pool.apply(time, { position, owner, liquidity: BigInt(liquidities.next().value) }, into);
    index += 1;
  }
}

const pages = ({ source, signal }: AccrualOptions, range: EventRange): AsyncIterable<EventPage> =>
  eventPages(source, range, signal);

/** The events of a stream that a base leaves to be added, before the last 24 hours and in them. */
function ranges(
  { base, time, seq }: AccrualOptions,
  stream: number,
  type: EventRange["type"],
): { before: EventRange; recent: EventRange } {
  const windowStart = time - windowSeconds;
  return {
    before: { stream, type, after: base?.time ?? beforeAll, until: windowStart, seq },
    recent: { stream, type, after: windowStart, until: time, seq },
  };
}
