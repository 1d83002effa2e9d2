import type { Ranking } from "@proj/points-client";
import type { PointsDatabase } from "../storage/database.ts";
import { StoreUnavailableError } from "../storage/store-errors.ts";
import { BlockCache } from "./block-cache.ts";
import type { PageQuery, RankingPage } from "./page.ts";
import { linesPerBlock, rankingNumbers } from "./ranking.ts";
import { type ReaderQueries, readerQueries, type SnapshotRow } from "./reader-queries.ts";
import { type RecordBlock, recordBlock, recordsBetween } from "./record-block.ts";
import { SnapshotGoneError } from "./snapshot-gone-error.ts";
import type { SnapshotInfo } from "./snapshot-info.ts";
import { parseSnapshotName, snapshotName } from "./snapshot-name.ts";
import { findStanding, type Standing, standingBlock } from "./standing.ts";

const largestSize = 1000;
/** At most so many bytes: the total ranking of three quarters of a million addresses. */
const cachedCharacters = 128 * 1024 * 1024;

/** Blocks are missing: the snapshot is being deleted. */
class WithdrawnError extends Error {}

/** How often a snapshot may be withdrawn under a reader before the reader gives up. */
const attempts = 5;

const emptyPage: RankingPage = {
  snapshot: null,
  body: '{"user":null,"leaderboard":[],"totalItems":0}',
};
const nowhere: Standing = { total: 0, lp: 0, swaps: 0 };

/** Reads published snapshots by keys: a page costs the same wherever it is and however many there are. */
export class SnapshotReader {
  readonly #database: PointsDatabase;
  readonly #queries: ReaderQueries;
  readonly #cache = new BlockCache(cachedCharacters);

  constructor(database: PointsDatabase) {
    this.#database = database;
    this.#queries = readerQueries(database);
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
      const { total } = await this.#standing(row, address);
      if (total === 0) return null;
      const record = await this.#records(row, "total", total - 1, total);
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
      }
    }
    throw new StoreUnavailableError("snapshots are replaced faster than they can be read");
  }

  async #readPage(row: SnapshotRow, query: PageQuery): Promise<RankingPage> {
    const { ranking, address, offset } = query;
    const totalItems = infoOf(row).totalItems[ranking];
    const end = Math.min(offset + Math.min(query.size, largestSize), totalItems);
    const standing = address === null ? nowhere : await this.#standing(row, address);
    const rank = standing[ranking];
    const leaderboard = await this.#records(row, ranking, offset, end);
    const user = rank === 0 ? "null" : await this.#records(row, ranking, rank - 1, rank);
    const body = `{"user":${user},"leaderboard":[${leaderboard}],"totalItems":${totalItems}}`;
    return { snapshot: snapshotName(row), body };
  }

  /** Of the ranks after `start` until `end`; empty where that is no range. */
  async #records(row: SnapshotRow, ranking: Ranking, start: number, end: number): Promise<string> {
    if (start >= end) return "";
    const first = Math.floor(start / linesPerBlock);
    const last = Math.floor((end - 1) / linesPerBlock);
    const blocks = await this.#blocks(row, ranking, first, last);
    const parts = blocks.map((block, index) => {
      const before = (first + index) * linesPerBlock;
      return recordsBetween(block, start - before, end - before);
    });
    return parts.join(",");
  }

  async #blocks(
    { id: snapshot }: SnapshotRow,
    ranking: Ranking,
    first: number,
    last: number,
  ): Promise<readonly RecordBlock[]> {
    const keys = Array.from({ length: last - first + 1 }, (_, index) => {
      return `${snapshot} ${ranking} ${first + index}`;
    });
    const known = keys.map((key) => this.#cache.get(key)).filter((block) => block !== undefined);
    if (known.length === keys.length) return known;
    const values = { snapshot, ranking: rankingNumbers[ranking], first, last };
    const { rows } = await this.#database.run(this.#queries.readRanking, values);
    if (rows.length < keys.length) throw new WithdrawnError();
    return rows.map(({ entries }, index) => {
      const block = recordBlock(ranking, entries, (first + index) * linesPerBlock + 1);
      this.#cache.put(keys[index] ?? "", block);
      return block;
    });
  }

  async #standing(
    { id: snapshot, standing_blocks }: SnapshotRow,
    address: string,
  ): Promise<Standing> {
    const block = standingBlock(address, standing_blocks);
    const { rows } = await this.#database.run(this.#queries.readStandings, { snapshot, block });
    const [row] = rows;
    if (row === undefined) throw new WithdrawnError();
    return findStanding(row.entries, address) ?? nowhere;
  }

  async #newest(): Promise<SnapshotRow | undefined> {
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
