import type { PointsDatabase } from "../storage/database.ts";
import { StoreUnavailableError } from "../storage/store-errors.ts";
import { BlockReader, WithdrawnError } from "./block-reader.ts";
import type { PageQuery, RankingPage } from "./page.ts";
import { pageBody, textOf } from "./page-body.ts";
import { type ReaderQueries, readerQueries, type SnapshotRow } from "./reader-queries.ts";
import { SnapshotGoneError } from "./snapshot-gone-error.ts";
import type { SnapshotInfo } from "./snapshot-info.ts";
import { parseSnapshotName, snapshotName } from "./snapshot-name.ts";
import { nowhere } from "./standing.ts";

const largestSize = 1000;
/** How often a snapshot may be withdrawn under a reader before the reader gives up. */
const attempts = 5;

const emptyPage: RankingPage = { snapshot: null, body: pageBody("null", [], 0), version: "" };
interface KnownNewest {
  readonly row: Promise<SnapshotRow | undefined>;
  /** By `performance.now()`. */
  readonly until: number;
}

export interface ReaderOptions {
  /**
   * Milliseconds for which the newest snapshot is taken to be so without a look, which another program may
   * have replaced; `forgetNewest` ends them.
   * @default 0
   */
  readonly newestForMs?: number;
}

/** Reads published snapshots by keys: a page costs the same wherever it is and however many there are. */
export class SnapshotReader {
  readonly #database: PointsDatabase;
  readonly #queries: ReaderQueries;
  readonly #blocks: BlockReader;
  readonly #newestForMs: number;
  #known: KnownNewest | null = null;

  constructor(database: PointsDatabase, { newestForMs = 0 }: ReaderOptions = {}) {
    this.#database = database;
    this.#queries = readerQueries(database);
    this.#blocks = new BlockReader(database, this.#queries);
    this.#newestForMs = newestForMs;
  }

  /** Something may have become of it: the next read looks. */
  forgetNewest(): void {
    this.#known = null;
  }

  /** The one that is read; null: none has been built yet. */
  async newest(): Promise<SnapshotInfo | null> {
    const row = await this.#newest();
    return row === undefined ? null : infoOf(row);
  }

  /** @throws SnapshotGoneError only where the query names a snapshot */
  async page(query: PageQuery): Promise<RankingPage> {
    const { snapshot } = query;
    if (snapshot === undefined) {
      return (await this.#readNewest((row) => this.#readPage(row, query))) ?? emptyPage;
    }
    const row = await this.#find(snapshot);
    if (row === undefined) throw new SnapshotGoneError(snapshot);
    try {
      return await this.#readPage(row, query);
    } catch (error) {
      throw error instanceof WithdrawnError ? new SnapshotGoneError(snapshot) : error;
    }
  }

  /** Points of an address in the newest total ranking; null: it is not in it. */
  points(address: string): Promise<bigint | null> {
    return this.#readNewest(async (row) => {
      const { total } = await this.#blocks.standing(row, address);
      if (total === 0) return null;
      const record = textOf((await this.#blocks.records(row, "total", total - 1, total)).pieces);
      return BigInt(JSON.parse(record).points);
    });
  }

  async #readNewest<Result>(read: (row: SnapshotRow) => Promise<Result>): Promise<Result | null> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const row = await this.#newest();
      if (row === undefined) return null;
      try {
        return await read(row);
      } catch (error) {
        if (!(error instanceof WithdrawnError)) throw error;
        this.forgetNewest();
      }
    }
    throw new StoreUnavailableError("snapshots are replaced faster than they can be read");
  }

  async #readPage(row: SnapshotRow, query: PageQuery): Promise<RankingPage> {
    const { ranking, address, offset } = query;
    const totalItems = infoOf(row).totalItems[ranking];
    const end = Math.min(offset + Math.min(query.size, largestSize), totalItems);
    const standing = address === null ? nowhere : await this.#blocks.standing(row, address);
    const rank = standing[ranking];
    const leaderboard = await this.#blocks.records(row, ranking, offset, end);
    const user =
      rank === 0
        ? "null"
        : textOf((await this.#blocks.records(row, ranking, rank - 1, rank)).pieces);
    return {
      snapshot: snapshotName(row),
      body: pageBody(user, leaderboard.pieces, totalItems),
      version: `${offset} ${end} ${leaderboard.version} ${user} ${totalItems}`,
    };
  }

  #newest(): Promise<SnapshotRow | undefined> {
    const now = performance.now();
    if (this.#known !== null && now < this.#known.until) return this.#known.row;
    const row = this.#findNewest();
    const known = { row, until: now + this.#newestForMs };
    this.#known = known;
    // What could not be read is not kept.
    row.catch(() => {
      if (this.#known === known) this.forgetNewest();
    });
    return row;
  }

  async #findNewest(): Promise<SnapshotRow | undefined> {
    return (await this.#database.run(this.#queries.findNewest, {})).rows[0];
  }

  async #find(snapshot: string): Promise<SnapshotRow | undefined> {
    const key = parseSnapshotName(snapshot);
    if (key === null) return undefined;
    return (await this.#database.run(this.#queries.find, { ...key })).rows[0];
  }
}

function infoOf(row: SnapshotRow): SnapshotInfo {
  const { time, total_items, lp_items, swaps_items } = row;
  return {
    id: snapshotName(row),
    time,
    totalItems: { total: total_items, lp: lp_items, swaps: swaps_items },
  };
}
