import { unpacked } from "../bytes/packed-texts.ts";
import {
  type EventPage,
  type EventRange,
  type EventSource,
  eventPages,
} from "../ledger/event-source.ts";
import { amountKey, poolKey, priceKey, tokensOf } from "../ledger/streams.ts";
import { giveWay } from "../scheduling/give-way.ts";
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
import { pricedSwaps } from "./priced-swaps.ts";
import type { Promotion } from "./promotion.ts";
import type { Rules, SwapPeriod } from "./rules.ts";
import { windowSeconds } from "./window.ts";

const eventsPerStep = 100;
/** Earlier than the time of any event. */
const beforeAll = -1;

export interface AccrualOptions {
  readonly source: EventSource;
  /** The numbers of streams by their keys. */
  readonly streams: ReadonlyMap<string, number>;
  readonly signal: AbortSignal;
  readonly rules: Rules;
  /** Unix seconds: only events up to this time count … */
  readonly time: number;
  /** … that had arrived with this `seq` or a smaller one. */
  readonly seq: number;
  /** Null: there is no usable base. */
  readonly base: Base | null;
  readonly storage: BaseStorage;
  /** How many addresses there may be. */
  readonly expected: number;
  /** Whether to write a new base, as of the beginning of the last 24 hours. */
  readonly writesBase: boolean;
}

/** The activity of all addresses. The result depends only on the events, not on the base. */
export async function accrue(options: AccrualOptions): Promise<Accounts> {
  const { streams, rules, base, storage, writesBase } = options;
  const accounts = new Accounts(options.expected);
  if (base !== null) {
    for await (const entries of storage.readBase(base, accountsPart)) {
      restoreAccounts(accounts, entries);
    }
  }
  for (const [pair, periods] of rules.swapPeriods) {
    const stream = streams.get(pair);
    if (stream !== undefined) await addSwaps(options, stream, periods, accounts);
    for (const token of tokensOf(pair)) {
      const amounts = streams.get(amountKey(pair, token));
      const prices = streams.get(priceKey(token));
      if (amounts !== undefined) await addAmounts(options, amounts, prices, periods, accounts);
    }
  }
  for (const [pool, promotion] of rules.promotions) {
    const stream = streams.get(poolKey(pool));
    if (stream !== undefined) await addPool(options, stream, promotion, accounts);
  }
  if (writesBase) await storage.writeBase(accountsPart, accountEntries(accounts));
  return accounts;
}

async function addSwaps(
  options: AccrualOptions,
  stream: number,
  periods: readonly SwapPeriod[],
  accounts: Accounts,
): Promise<void> {
  const { before, recent } = ranges(options, stream, "swap");
  const add = async (whole: EventRange, into: Activity): Promise<void> => {
    for (const { range, weight } of partsOf(whole, periods)) {
      for await (const page of pages(options, range)) {
        const numbers = accounts.book.numbersOf(page.addresses);
        let index = 0;
        for (const amount of unpacked(page.amounts)) {
          const weighted = weight === 1n ? amount : BigInt(amount) * weight;
          into.addSwaps(numbers[index++] ?? 0, 1, weighted);
        }
      }
    }
  };
  await add(before, accounts.before);
  await add(recent, accounts.recent);
}

/** Swaps valued by our own prices. @param priceStream undefined: the token has no prices */
async function addAmounts(
  options: AccrualOptions,
  stream: number,
  priceStream: number | undefined,
  periods: readonly SwapPeriod[],
  accounts: Accounts,
): Promise<void> {
  const { before, recent } = ranges(options, stream, "amount");
  const add = async (whole: EventRange, into: Activity): Promise<void> => {
    for (const { range, weight, priceMaxAge } of partsOf(whole, periods)) {
      const pricing = { ...options, priceStream, priceMaxAge };
      for await (const { addresses, values } of pricedSwaps(range, pricing)) {
        const numbers = accounts.book.numbersOf(addresses);
        for (const [index, value] of values.entries())
          into.addSwaps(numbers[index] ?? 0, 1, (value ?? 0n) * weight);
      }
    }
  };
  await add(before, accounts.before);
  await add(recent, accounts.recent);
}

/** A range, split at the times when the rates of swaps change. */
function* partsOf(
  whole: EventRange,
  periods: readonly SwapPeriod[],
): Generator<SwapPeriod & { readonly range: EventRange }> {
  for (const period of periods) {
    const after = Math.max(whole.after, period.after);
    const until = Math.min(whole.until, period.until);
    if (until > after) yield { ...period, range: { ...whole, after, until } };
  }
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

/** The events of a stream that the base does not contain: before the last 24 hours, and in them. */
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
