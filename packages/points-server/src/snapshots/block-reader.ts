import type { Ranking } from "@proj/points-client";
import type { PointsDatabase } from "../storage/database.ts";
import { BlockCache } from "./block-cache.ts";
import { linesPerBlock, rankingNumbers } from "./ranking.ts";
import type { ReaderQueries, SnapshotRow } from "./reader-queries.ts";
import { type RecordBlock, recordBlock, recordsBetween } from "./record-block.ts";
import { findStanding, nowhere, type Standing, standingBlock } from "./standing.ts";

/** At most so many bytes of records, and of who is where: the total ranking of a million addresses. */
const cachedRecords = 192 * 1024 * 1024;
const cachedStandings = 64 * 1024 * 1024;

/** Blocks are missing: the snapshot is being deleted. */
export class WithdrawnError extends Error {}

/** JSON of records with commas between them. */
export interface Records {
  readonly text: string;
  /** Short; the same for the same range only where the text is. */
  readonly version: string;
}

const noRecords: Records = { text: "", version: "" };

/** Reads blocks of published snapshots, those that were not asked for lately from the database. */
export class BlockReader {
  readonly #database: PointsDatabase;
  readonly #queries: ReaderQueries;
  readonly #records = new BlockCache<RecordBlock>(cachedRecords);
  readonly #standings = new BlockCache<{ readonly text: string }>(cachedStandings);

  constructor(database: PointsDatabase, queries: ReaderQueries) {
    this.#database = database;
    this.#queries = queries;
  }

  /** Of the ranks after `start` until `end`; empty where that is no range. @throws WithdrawnError */
  async records(row: SnapshotRow, ranking: Ranking, start: number, end: number): Promise<Records> {
    if (start >= end) return noRecords;
    const first = Math.floor(start / linesPerBlock);
    const last = Math.floor((end - 1) / linesPerBlock);
    const blocks = await this.#blocks(row, ranking, first, last);
    const parts = blocks.map((block, index) => {
      const before = (first + index) * linesPerBlock;
      return recordsBetween(block, start - before, end - before);
    });
    return { text: parts.join(","), version: blocks.map(({ version }) => version).join() };
  }

  /** @throws WithdrawnError */
  async standing({ id, standing_blocks }: SnapshotRow, address: string): Promise<Standing> {
    const block = standingBlock(address, standing_blocks);
    const key = `${id} ${block}`;
    const known = this.#standings.get(key);
    if (known !== undefined) return findStanding(known.text, address) ?? nowhere;
    const values = { snapshot: id, block };
    const [row] = (await this.#database.run(this.#queries.readStandings, values)).rows;
    if (row === undefined) throw new WithdrawnError();
    this.#standings.put(key, { text: row.entries });
    return findStanding(row.entries, address) ?? nowhere;
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
    const blocks = keys.map((key) => this.#records.get(key));
    const [from, to] = [blocks.indexOf(undefined), blocks.lastIndexOf(undefined)];
    if (from !== -1) {
      const range = { first: first + from, last: first + to };
      const values = { snapshot, ranking: rankingNumbers[ranking], ...range };
      const { rows } = await this.#database.run(this.#queries.readRanking, values);
      if (rows.length <= to - from) throw new WithdrawnError();
      for (const [place, { entries }] of rows.entries()) {
        const index = from + place;
        if (blocks[index] !== undefined) continue;
        const block = recordBlock(ranking, entries, (first + index) * linesPerBlock + 1);
        this.#records.put(keys[index] ?? "", block);
        blocks[index] = block;
      }
    }
    return blocks.filter((block) => block !== undefined);
  }
}
