import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { windowSeconds } from "../accrual/accrue.ts";
import type { Base, BaseEntry, BaseStorage } from "../accrual/base.ts";
import type { PointsDatabase } from "../storage/database.ts";
import type { QueryValues } from "../storage/stored-query.ts";
import { giveWay } from "../threads/give-way.ts";
import type { BlockBuffer } from "./block-buffer.ts";
import type { BlockBatch, BlockSink } from "./block-writer.ts";
import { inGroups } from "./in-groups.ts";
import {
  type BaseRow,
  type DomainRow,
  type LedgerRow,
  type SnapshotQueries,
  snapshotQueries,
} from "./snapshot-queries.ts";
import { SnapshotSupersededError } from "./snapshot-superseded-error.ts";
import type { RankingCounts } from "./write-rankings.ts";

/** Of addresses, where only the number of events is known. */
const mostExpected = 1_000_000;
const baseEntriesPerBlock = 100;

/** The characters of its lines; bytes are only what they are until the next block is made. */
type Block = string | Uint8Array;

type NewBase = Omit<Base, "id">;

interface BuildParts {
  readonly database: PointsDatabase;
  readonly sink: BlockSink;
  readonly queries: SnapshotQueries;
  readonly signal: AbortSignal;
  readonly id: number;
  readonly salt: string;
  readonly time: number;
  readonly seq: number;
  readonly base: Base | null;
  readonly expectedSize: number;
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
  /** How many addresses the largest snapshot before had, or how many there may be in the first one. */
  readonly expectedSize: number;
  readonly #database: PointsDatabase;
  readonly #sink: BlockSink;
  readonly #queries: SnapshotQueries;
  readonly #signal: AbortSignal;

  private constructor(parts: BuildParts) {
    this.id = parts.id;
    this.salt = parts.salt;
    this.time = parts.time;
    this.seq = parts.seq;
    this.base = parts.base;
    this.expectedSize = parts.expectedSize;
    this.#database = parts.database;
    this.#sink = parts.sink;
    this.#queries = parts.queries;
    this.#signal = parts.signal;
  }

  /** One that another process has at work is given up: it may have died. @throws StoreUnavailableError */
  static async begin(
    database: PointsDatabase,
    sink: BlockSink,
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
      const expectedSize = last?.size ?? Math.min(seq, mostExpected);
      return new SnapshotBuild({
        database,
        sink,
        queries,
        signal,
        id,
        salt,
        time,
        seq,
        base,
        expectedSize,
      });
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
    return this.#insert("base", [part], asJson(blocks));
  }

  writeRanking(ranking: number, blocks: Iterable<Block>): Promise<void> {
    return this.#insert("ranking", [ranking], blocks);
  }

  writeStandings(blocks: Iterable<Block>): Promise<void> {
    return this.#insert("standings", [], blocks);
  }

  /** From now on this is the one that is read; of those before it, the last two are kept. */
  async publish(counts: RankingCounts, newBase: NewBase | null): Promise<void> {
    await this.#sink.flush();
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

  async #insert(kind: BlockBatch["kind"], part: number[], blocks: Iterable<Block>): Promise<void> {
    const key: BlockBatch["key"] = [this.id, ...part];
    let buffer = await this.#takeBuffer();
    let first = 0;
    const write = async (): Promise<void> => {
      await this.#sink.write({ kind, key, first, blocks: buffer.blocks });
      first += buffer.blocks.ends.length;
    };
    for (const block of blocks) {
      giveWay();
      while (!buffer.add(block)) {
        await write();
        buffer = await this.#takeBuffer();
      }
    }
    if (buffer.blocks.ends.length > 0) await write();
  }

  async #takeBuffer(): Promise<BlockBuffer> {
    // A thread hears of an abort between its turns only.
    await setImmediate();
    this.#signal.throwIfAborted();
    return this.#sink.takeBuffer();
  }
}

function* asJson(values: Iterable<unknown>): Generator<string> {
  for (const value of values) yield JSON.stringify(value);
}

function baseOf({ late_seq, base_snapshot: id, ...ledger }: LedgerRow): Base | null {
  const { base_time: time, base_seq: seq, base_rules: rules } = ledger;
  return id === null || late_seq > seq ? null : { id, time, seq, rules };
}
