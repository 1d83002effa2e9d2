import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import { type Ranking, rankings } from "@proj/points-client/wire";
import type { PointsDatabase, PointsSource } from "../storage/source.ts";
import { BlockCache } from "./block-cache.ts";
import { linesPerBlock } from "./ranking.ts";
import { type Piece, type RecordBlock, recordBlock, recordsBetween } from "./record-block.ts";
import type { SnapshotKey } from "./snapshot-name.ts";
import { findStanding, nowhere, type Standing, standingBlock } from "./standing.ts";

/** Largest cache of records, in bytes: enough for the total ranking of a million addresses. */
const cachedRecords = 192 * 1024 * 1024;
const cachedStandings = 64 * 1024 * 1024;

/** Blocks are missing because the snapshot is being deleted. */
export class WithdrawnError extends Error {}

/** Pieces of JSON: records separated by commas, but without commas between the pieces. */
export interface Records {
  readonly pieces: readonly Piece[];
  /** Short; equal for the same range only if the records are equal. */
  readonly version: string;
}

const noRecords: Records = { pieces: [], version: "" };

export interface SnapshotRow extends SnapshotKey {
  readonly time: number;
  readonly total_items: number;
  readonly lp_items: number;
  readonly swaps_items: number;
  readonly standing_blocks: number;
}

const readStandings = query(({ db }: PointsSource) =>
  db
    .selectFrom("standing_blocks")
    .select("entries")
    .where("snapshot", "=", parameter<number>("snapshot"))
    .where("block", "=", parameter<number>("block")),
);
const readRanking = query(({ db }: PointsSource) =>
  db
    .selectFrom("ranking_blocks")
    .select("entries")
    .where("snapshot", "=", parameter<number>("snapshot"))
    .where("ranking", "=", parameter<number>("ranking"))
    .where("block", ">=", parameter<number>("first"))
    .where("block", "<=", parameter<number>("last"))
    .orderBy("block"),
);

/** Reads blocks of published snapshots, through a cache. */
export class BlockReader {
  readonly #database: PointsDatabase;
  readonly #records = new BlockCache<RecordBlock>(cachedRecords);
  readonly #standings = new BlockCache<string>(cachedStandings);

  constructor(database: PointsDatabase) {
    this.#database = database;
  }

  /** The ranks after `start` up to `end`; empty if that is not a range. @throws WithdrawnError */
  async records(row: SnapshotRow, ranking: Ranking, start: number, end: number): Promise<Records> {
    if (start >= end) return noRecords;
    const first = Math.floor(start / linesPerBlock);
    const last = Math.floor((end - 1) / linesPerBlock);
    const kept = this.#records.getRange(`${row.id} ${ranking}`, first, last);
    const blocks = isWhole(kept) ? kept : await this.#readMissing(row, ranking, first, kept);
    const pieces: Piece[] = [];
    let version = "";
    for (const [index, block] of blocks.entries()) {
      const before = (first + index) * linesPerBlock;
      pieces.push(recordsBetween(block, start - before, end - before));
      version += `${block.version},`;
    }
    return { pieces, version };
  }

  /** @throws WithdrawnError */
  async standing({ id, standing_blocks }: SnapshotRow, address: string): Promise<Standing> {
    const block = standingBlock(address, standing_blocks);
    const known = this.#standings.get(`${id}`, block);
    if (known !== undefined) return findStanding(known, address) ?? nowhere;
    const values = { snapshot: id, block };
    const [row] = (await this.#database.run(readStandings, values)).rows;
    if (row === undefined) throw new WithdrawnError();
    this.#standings.put(`${id}`, block, row.entries, row.entries.length);
    return findStanding(row.entries, address) ?? nowhere;
  }

  /** @param kept the cached blocks, from `first` on */
  async #readMissing(
    { id: snapshot }: SnapshotRow,
    ranking: Ranking,
    first: number,
    kept: readonly (RecordBlock | undefined)[],
  ): Promise<readonly RecordBlock[]> {
    const [from, to] = [kept.indexOf(undefined), kept.lastIndexOf(undefined)];
    const range = { first: first + from, last: first + to };
    const values = { snapshot, ranking: rankings[ranking].number, ...range };
    const { rows } = await this.#database.run(readRanking, values);
    if (rows.length <= to - from) throw new WithdrawnError();
    return kept.map((known, index) => {
      if (known !== undefined) return known;
      const number = first + index;
      const lines = rows[index - from]?.entries ?? "";
      const block = recordBlock(ranking, lines, number * linesPerBlock + 1);
      this.#records.put(`${snapshot} ${ranking}`, number, block, block.bytes.length);
      return block;
    });
  }
}

const isWhole = <Block>(blocks: readonly (Block | undefined)[]): blocks is readonly Block[] =>
  !blocks.includes(undefined);
