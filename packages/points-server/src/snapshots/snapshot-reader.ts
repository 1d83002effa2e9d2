import type { Ranking } from "@proj/points-client";
import type { PointsDatabase } from "../storage/database.ts";
import { StoreUnavailableError } from "../storage/store-errors.ts";
import { pointsOf, recordJson } from "./entry.ts";
import type { PageQuery, RankingPage } from "./page.ts";
import { linesPerBlock, rankingNumbers } from "./ranking.ts";
import { type ReaderQueries, readerQueries, type SnapshotRow } from "./reader-queries.ts";
import { SnapshotGoneError } from "./snapshot-gone-error.ts";
import type { SnapshotInfo } from "./snapshot-info.ts";
import { findStanding, type Standing, standingBlock } from "./standing.ts";

const largestSize = 1000;

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
      const [line] = await this.#lines(row, "total", total - 1, total);
      return line === undefined ? null : BigInt(pointsOf(line));
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
    const records = await this.#records(row, ranking, offset, end);
    const isOnPage = rank > offset && rank <= end;
    const [user = "null"] = isOnPage
      ? records.slice(rank - 1 - offset)
      : await this.#records(row, ranking, rank - 1, rank);
    const body = `{"user":${user},"leaderboard":[${records.join(",")}],"totalItems":${totalItems}}`;
    return { snapshot: String(row.id), body };
  }

  async #records(
    row: SnapshotRow,
    ranking: Ranking,
    start: number,
    end: number,
  ): Promise<readonly string[]> {
    const lines = await this.#lines(row, ranking, start, end);
    return lines.map((line, index) => recordJson(ranking, line, start + index + 1));
  }

  /** Those of the ranks after `start` until `end`; none where that is no range. */
  async #lines(
    { id: snapshot }: SnapshotRow,
    ranking: Ranking,
    start: number,
    end: number,
  ): Promise<readonly string[]> {
    if (start < 0 || start >= end) return [];
    const first = Math.floor(start / linesPerBlock);
    const last = Math.floor((end - 1) / linesPerBlock);
    const values = { snapshot, ranking: rankingNumbers[ranking], first, last };
    const { rows } = await this.#database.run(this.#queries.readRanking, values);
    if (rows.length <= last - first) throw new WithdrawnError();
    const lines = rows.flatMap(({ entries }) => entries.split("\n"));
    return lines.slice(start - first * linesPerBlock, end - first * linesPerBlock);
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
    if (!/^[1-9]\d{0,14}$/.test(snapshot)) return undefined;
    return (await this.#database.run(this.#queries.find, { id: Number(snapshot) })).rows[0];
  }
}

function infoOf({ id, time, total_items, lp_items, swaps_items }: SnapshotRow): SnapshotInfo {
  return {
    id: String(id),
    time,
    totalItems: { total: total_items, lp: lp_items, swaps: swaps_items },
  };
}
