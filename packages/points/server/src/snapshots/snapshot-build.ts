import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Base, BaseEntry, BaseStorage } from "../accrual/base.ts";
import { windowSeconds } from "../accrual/window.ts";
import { giveWay } from "../scheduling/give-way.ts";
import type { PointsDatabase } from "../storage/source.ts";
import type { BlockBuffer } from "./block-buffer.ts";
import type { BlockBatch, BlockSink } from "./block-writer.ts";
import { inGroups } from "./in-groups.ts";
import { type BaseKey, type BaseRow, type DomainRow, snapshotQueries } from "./snapshot-queries.ts";
import { SnapshotSupersededError } from "./snapshot-superseded-error.ts";
import type { RankingCounts } from "./write-rankings.ts";

/** Largest guess at the number of addresses when only the number of events is known. */
const maxExpected = 1_000_000;
const baseEntriesPerBlock = 100;
const secondsPerDay = 86_400;
const never = Number.MAX_SAFE_INTEGER;

/** The characters of its lines; bytes are valid only until the next block is made. */
type Block = string | Uint8Array;

type NewBase = Omit<Base, "id">;

interface BuildParts {
  readonly database: PointsDatabase;
  readonly sink: BlockSink;
  readonly signal: AbortSignal;
  readonly id: number;
  readonly salt: string;
  readonly time: number;
  readonly seq: number;
  readonly base: Base | null;
  readonly season: string;
  readonly expectedSize: number;
}

/** What a snapshot covers. */
export interface SnapshotPlan {
  /** Unix seconds. */
  readonly time: number;
  /** Empty: all time. */
  readonly season: string;
  /** The rules, as text. */
  readonly rules: string;
}

/** A snapshot being built. Readers see nothing of it until it is complete and published. */
export class SnapshotBuild implements BaseStorage {
  /** Larger than the ids of all earlier snapshots. */
  readonly id: number;
  readonly salt: string;
  /** Unix seconds. */
  readonly time: number;
  /** Events with a larger `seq` are not in it. */
  readonly seq: number;
  /** From an earlier snapshot; null: there is none, or it lacks late events. */
  readonly base: Base | null;
  /** How many addresses the largest earlier snapshot had; for the first one, an upper bound. */
  readonly expectedSize: number;
  readonly #database: PointsDatabase;
  readonly #sink: BlockSink;
  readonly #signal: AbortSignal;
  readonly #season: string;

  private constructor(parts: BuildParts) {
    this.id = parts.id;
    this.salt = parts.salt;
    this.time = parts.time;
    this.seq = parts.seq;
    this.base = parts.base;
    this.expectedSize = parts.expectedSize;
    this.#database = parts.database;
    this.#sink = parts.sink;
    this.#signal = parts.signal;
    this.#season = parts.season;
  }

  /** Supersedes a build that another process has started: that process may have died. @throws StoreUnavailableError */
  static async begin(
    database: PointsDatabase,
    sink: BlockSink,
    { time, season, rules }: SnapshotPlan,
    signal: AbortSignal,
  ): Promise<SnapshotBuild> {
    return database.transaction(async (runner) => {
      const settled_until = time - windowSeconds;
      const [ledger] = (await runner.run(snapshotQueries.settleLedger, { settled_until })).rows;
      const [last] = (await runner.run(snapshotQueries.findLast, {})).rows;
      const id = Math.max((last?.id ?? 0) + 1, time);
      await runner.run(snapshotQueries.withdrawUnfinished, { season });
      const salt = randomBytes(8).toString("hex");
      const seq = ledger?.last_seq ?? 0;
      await runner.run(snapshotQueries.add, { id, salt, time, seq, season, rules });
      const [known] = (await runner.run(snapshotQueries.findBase, { season })).rows;
      const base = known === undefined ? null : baseOf(known, ledger?.late_seq ?? 0);
      const expectedSize = last?.size ?? Math.min(seq, maxExpected);
      return new SnapshotBuild({
        database,
        sink,
        signal,
        id,
        salt,
        time,
        seq,
        base,
        season,
        expectedSize,
      });
    });
  }

  /** Domains by address. */
  async readDomains(): Promise<ReadonlyMap<string, string>> {
    const domains = new Map<string, string>();
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page: readonly DomainRow[] = (
        await this.#database.run(snapshotQueries.readDomains, { after })
      ).rows;
      for (const { address, domain } of page) domains.set(address, domain);
      after = page.at(-1)?.address;
    }
    return domains;
  }

  async *readBase(base: Base, part: number): AsyncGenerator<readonly BaseEntry[]> {
    for (let after: number | undefined = -1; after !== undefined; ) {
      const values = { snapshot: base.id, part, after };
      const page: readonly BaseRow[] = (await this.#database.run(snapshotQueries.readBase, values))
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

  /**
   * Makes this the newest snapshot. Of the earlier ones the last two are kept, and the last one of each day whose
   * history is kept.
   */
  async publish(
    counts: RankingCounts,
    newBase: NewBase | null,
    historyDays: number = 0,
  ): Promise<void> {
    await this.#sink.flush();
    this.#signal.throwIfAborted();
    const { id } = this;
    await this.#database.transaction(async (runner) => {
      const { changes } = await runner.run(snapshotQueries.publish, {
        id,
        total_items: counts.total,
        lp_items: counts.lp,
        swaps_items: counts.swaps,
        standing_blocks: counts.standingBlocks,
      });
      if (changes === 0) throw new SnapshotSupersededError();
      if (newBase !== null) {
        const { time, seq, rules } = newBase;
        await runner.run(snapshotQueries.putBase, { season: this.#season, id, time, seq, rules });
      }
      const since = historyDays === 0 ? never : this.time - historyDays * secondsPerDay;
      await runner.run(snapshotQueries.withdrawOld, { season: this.#season, since });
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
    // A thread receives an abort message only between turns of its event loop.
    await setImmediate();
    this.#signal.throwIfAborted();
    return this.#sink.takeBuffer();
  }
}

function* asJson(values: Iterable<unknown>): Generator<string> {
  for (const value of values) yield JSON.stringify(value);
}

/** Null: it lacks an event that arrived later. */
function baseOf({ snapshot: id, ...base }: BaseKey, lateSeq: number): Base | null {
  return lateSeq > base.seq ? null : { id, ...base };
}
