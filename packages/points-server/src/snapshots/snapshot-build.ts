import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { windowSeconds } from "../accrual/accrue.ts";
import type { Base, BaseEntry, BaseStorage } from "../accrual/base.ts";
import type { PointsDatabase, QueryRunner } from "../storage/database.ts";
import type { QueryValue, QueryValues } from "../storage/stored-query.ts";
import { giveWay } from "../threads/give-way.ts";
import { inGroups } from "./in-groups.ts";
import {
  type BaseRow,
  type BlockInserts,
  blocksPerInsert,
  type DomainRow,
  type LedgerRow,
  type SnapshotQueries,
  snapshotQueries,
} from "./snapshot-queries.ts";
import { SnapshotSupersededError } from "./snapshot-superseded-error.ts";
import type { RankingCounts } from "./write-rankings.ts";

const blocksPerTransaction = 2048;
const baseEntriesPerBlock = 1000;

type NewBase = Omit<Base, "id">;

interface BuildParts {
  readonly database: PointsDatabase;
  readonly queries: SnapshotQueries;
  readonly signal: AbortSignal;
  readonly id: number;
  readonly salt: string;
  readonly time: number;
  readonly seq: number;
  readonly base: Base | null;
}

/** A snapshot on its way. Nobody reads of it before all of it is there and published. */
export class SnapshotBuild implements BaseStorage {
  /** Larger than those of all before. */
  readonly id: number;
  readonly salt: string;
  /** Unix seconds. */
  readonly time: number;
  /** Events that arrive with a larger one are not in it. */
  readonly seq: number;
  /** Of an earlier snapshot; null: there is none that holds all events of its time. */
  readonly base: Base | null;
  readonly #database: PointsDatabase;
  readonly #queries: SnapshotQueries;
  readonly #signal: AbortSignal;

  private constructor(parts: BuildParts) {
    this.id = parts.id;
    this.salt = parts.salt;
    this.time = parts.time;
    this.seq = parts.seq;
    this.base = parts.base;
    this.#database = parts.database;
    this.#queries = parts.queries;
    this.#signal = parts.signal;
  }

  /** One that another process has at work is given up: it may have died. @throws StoreUnavailableError */
  static async begin(
    database: PointsDatabase,
    time: number,
    signal: AbortSignal,
  ): Promise<SnapshotBuild> {
    const queries = snapshotQueries(database);
    return database.transaction(async (runner) => {
      const settled_until = time - windowSeconds;
      const [ledger] = (await runner.run(queries.settleLedger, { settled_until })).rows;
      const [last] = (await runner.run(queries.findLast, {})).rows;
      const id = Math.max((last?.id ?? 0) + 1, time);
      await runner.run(queries.withdrawUnfinished, {});
      const salt = randomBytes(8).toString("hex");
      await runner.run(queries.add, { id, salt, time });
      const seq = ledger?.last_seq ?? 0;
      const base = ledger === undefined ? null : baseOf(ledger);
      return new SnapshotBuild({ database, queries, signal, id, salt, time, seq, base });
    });
  }

  /** Names by addresses; empty: it has none any longer. */
  async readDomains(): Promise<ReadonlyMap<string, string>> {
    const domains = new Map<string, string>();
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page: readonly DomainRow[] = (
        await this.#database.run(this.#queries.readDomains, { after })
      ).rows;
      for (const { address, domain } of page) domains.set(address, domain);
      after = page.at(-1)?.address;
    }
    return domains;
  }

  async *readBase(base: Base, part: number): AsyncGenerator<readonly BaseEntry[]> {
    for (let after: number | undefined = -1; after !== undefined; ) {
      const values: QueryValues = { snapshot: base.id, part, after };
      const page: readonly BaseRow[] = (await this.#database.run(this.#queries.readBase, values))
        .rows;
      for (const { entries } of page) {
        giveWay();
        yield JSON.parse(entries);
      }
      after = page.at(-1)?.block;
    }
  }

  writeBase(part: number, entries: Iterable<BaseEntry>): Promise<void> {
    const blocks = inGroups(entries, baseEntriesPerBlock);
    return this.#insert(this.#queries.insertBase, [this.id, part], asJson(blocks));
  }

  writeRanking(ranking: number, blocks: Iterable<string>): Promise<void> {
    return this.#insert(this.#queries.insertRanking, [this.id, ranking], blocks);
  }

  writeStandings(blocks: Iterable<string>): Promise<void> {
    return this.#insert(this.#queries.insertStandings, [this.id], blocks);
  }

  /** From now on this is the one that is read; of those before it, the last two are kept. */
  async publish(counts: RankingCounts, newBase: NewBase | null): Promise<void> {
    this.#signal.throwIfAborted();
    const { id } = this;
    await this.#database.transaction(async (runner) => {
      const { changes } = await runner.run(this.#queries.publish, {
        id,
        total_items: counts.total,
        lp_items: counts.lp,
        swaps_items: counts.swaps,
        standing_blocks: counts.standingBlocks,
      });
      if (changes === 0) throw new SnapshotSupersededError();
      if (newBase !== null) {
        const { time: base_time, seq: base_seq, rules: base_rules } = newBase;
        await runner.run(this.#queries.putBase, { id, base_time, base_seq, base_rules });
      }
      await runner.run(this.#queries.withdrawOld, {});
    });
  }

  async #insert(
    inserts: BlockInserts,
    key: readonly number[],
    blocks: Iterable<string>,
  ): Promise<void> {
    let block = 0;
    for (const group of inGroups(givingWay(blocks), blocksPerTransaction)) {
      const rows = group.map((entries, index) => [...key, block + index, entries]);
      await this.#insertRows(inserts, rows);
      block += rows.length;
    }
  }

  /** In a transaction of its own, so that nobody waits long for the lock. */
  async #insertRows(inserts: BlockInserts, rows: readonly QueryValue[][]): Promise<void> {
    // A thread hears of an abort between its turns only.
    await setImmediate();
    this.#signal.throwIfAborted();
    await this.#database.transaction(async (runner) => {
      await this.#keep(runner);
      const whole = rows.length - (rows.length % blocksPerInsert);
      for (let first = 0; first < whole; first += blocksPerInsert) {
        giveWay();
        await runner.run(inserts.many, rows.slice(first, first + blocksPerInsert).flat());
      }
      for (const row of rows.slice(whole)) await runner.run(inserts.one, row);
    });
  }

  async #keep(runner: QueryRunner): Promise<void> {
    const { changes } = await runner.run(this.#queries.keep, { id: this.id });
    if (changes === 0) throw new SnapshotSupersededError();
  }
}

function* givingWay(blocks: Iterable<string>): Generator<string> {
  for (const block of blocks) {
    giveWay();
    yield block;
  }
}

function* asJson(values: Iterable<unknown>): Generator<string> {
  for (const value of values) yield JSON.stringify(value);
}

function baseOf({ late_seq, base_snapshot: id, ...ledger }: LedgerRow): Base | null {
  const { base_time: time, base_seq: seq, base_rules: rules } = ledger;
  return id === null || late_seq > seq ? null : { id, time, seq, rules };
}
