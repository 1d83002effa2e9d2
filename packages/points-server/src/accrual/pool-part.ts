import type { StoredEvent, Stream } from "../ledger/ledger-reader.ts";
import type { Accounts } from "./accounts.ts";
import type { BaseEntry } from "./base.ts";
import { beforeAll, type Part, type Span } from "./part.ts";
import { PoolAccrual, type PositionState } from "./pool-accrual.ts";
import type { Promotion } from "./promotion.ts";

/** The positions of one promoted pool. */
export class PoolPart implements Part {
  readonly name: string;
  readonly number: number;
  readonly rules: string;
  readonly streams: readonly Stream[];
  readonly #stream: number;
  readonly #promotion: Promotion;

  /** @param key of the pool's stream @param stream of the pool */
  constructor(key: string, stream: Stream, promotion: Promotion) {
    this.name = key;
    this.number = stream.id;
    this.rules = promotion.rules;
    this.streams = [stream];
    this.#stream = stream.id;
    this.#promotion = promotion;
  }

  async accrue(accounts: Accounts, span: Span): Promise<void> {
    const { base, windowStart, time, writeBase } = span;
    const pool = new PoolAccrual(this.#promotion);
    if (base !== null) {
      for await (const entries of base.entries) {
        for (const entry of entries) restore(pool, entry);
      }
      pool.restoreTime(base.time);
    }
    await this.#apply(pool, span, base?.time ?? beforeAll, windowStart);
    pool.settle(windowStart);
    await writeBase?.(entriesOf(pool));
    for (const holder of pool.holders()) {
      accounts.addLiquidity(accounts.numberOf(holder.address), holder);
    }

    pool.startSumsAnew();
    await this.#apply(pool, span, windowStart, time);
    pool.settle(time);
    for (const holder of pool.holders()) {
      const number = accounts.numberOf(holder.address);
      accounts.addRecentLiquidity(number, holder, holder.openPositions);
    }
  }

  async #apply(
    pool: PoolAccrual,
    { reader, seq }: Span,
    after: number,
    until: number,
  ): Promise<void> {
    let sameTime: StoredEvent[] = [];
    const applyAll = (): void => {
      for (const event of sameTime.sort(byKindAndId)) pool.apply(event.time, stateOf(event));
    };
    for await (const events of reader.events({ stream: this.#stream, after, until, seq })) {
      for (const event of events) {
        if (sameTime[0] !== undefined && sameTime[0].time !== event.time) {
          applyAll();
          sameTime = [];
        }
        sameTime.push(event);
      }
    }
    applyAll();
  }
}

/** The order of what is said of one second, whatever order it came in. */
function byKindAndId(a: StoredEvent, b: StoredEvent): number {
  if (a.kind !== b.kind) return a.kind - b.kind;
  return a.id < b.id ? -1 : 1;
}

function stateOf({ position, address, amount }: StoredEvent): PositionState {
  return { position: position ?? "", address, liquidity: BigInt(amount) };
}

/** A holder has three fields, an open position four. Sums in hexadecimal, which is read in linear time. */
function* entriesOf(pool: PoolAccrual): Generator<BaseEntry> {
  for (const { address, low, error } of pool.holders()) yield [address, toHex(low), toHex(error)];
  for (const { address, liquidity, position } of pool.positions()) {
    yield [address, toHex(liquidity), 0, position];
  }
}

function restore(pool: PoolAccrual, [address, first, error, position]: BaseEntry): void {
  const owner = String(address);
  if (position === undefined) {
    pool.restoreHolder({
      address: owner,
      low: BigInt(first ?? 0),
      error: BigInt(error ?? 0),
      openPositions: 0,
    });
  } else {
    const liquidity = BigInt(first ?? 0);
    pool.restorePosition({ address: owner, liquidity, position: String(position) });
  }
}

const toHex = (amount: bigint): string => `0x${amount.toString(16)}`;
