import { query, StoreUnavailableError } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { HistoryEntry } from "@proj/points-client/wire";
import type { PointsDatabase, PointsSource } from "../storage/source.ts";
import { BlockReader, type SnapshotRow, WithdrawnError } from "./block-reader.ts";
import { NoSnapshotError } from "./no-snapshot-error.ts";
import type { PageQuery, RankingPage } from "./page.ts";
import { pageBody, textOf } from "./page-body.ts";
import { SnapshotGoneError } from "./snapshot-gone-error.ts";
import type { SnapshotInfo } from "./snapshot-info.ts";
import { parseSnapshotName, snapshotName } from "./snapshot-name.ts";
import { nowhere } from "./standing.ts";

const maxSize = 1000;
const secondsPerDay = 86_400;
/** A reader gives up after its snapshot was withdrawn this many times during a read. */
const attempts = 5;

interface KnownNewest {
  readonly row: Promise<SnapshotRow | undefined>;
  /** On the clock of `performance.now()`. */
  readonly until: number;
}

export interface ReaderOptions {
  /**
   * How long, in milliseconds, the newest snapshot is taken for the newest without asking the database again. Another
   * process may replace it meanwhile; `forgetNewest` asks again.
   * @default 0
   */
  readonly newestForMs?: number;
}

const published = ({ db }: PointsSource) =>
  db
    .selectFrom("snapshots")
    .select(["id", "salt", "time", "total_items", "lp_items", "swaps_items", "standing_blocks"])
    .where("state", "=", "published")
    .where("season", "=", parameter<string>("season"));

const findNewest = query((source: PointsSource) =>
  published(source).orderBy("id", "desc").limit(1),
);
/** Oldest first. */
const findAll = query((source: PointsSource) => published(source).orderBy("id"));
const find = query((source: PointsSource) =>
  published(source)
    .where("id", "=", parameter<number>("id"))
    .where("salt", "=", parameter<string>("salt")),
);

/** Reads published snapshots by key: a page costs the same at any rank and with any number of records. */
export class SnapshotReader {
  readonly #database: PointsDatabase;
  readonly #blocks: BlockReader;
  readonly #newestForMs: number;
  /** By season. */
  readonly #known = new Map<string, KnownNewest>();

  constructor(database: PointsDatabase, { newestForMs = 0 }: ReaderOptions = {}) {
    this.#database = database;
    this.#blocks = new BlockReader(database);
    this.#newestForMs = newestForMs;
  }

  /** Makes the next read check for a newer snapshot. */
  forgetNewest(): void {
    this.#known.clear();
  }

  /** The newest snapshot; null: none has been built yet. @param season @default all time */
  async newest(season: string = ""): Promise<SnapshotInfo | null> {
    const row = await this.#newest(season);
    return row === undefined ? null : infoOf(row);
  }

  /** @throws NoSnapshotError; SnapshotGoneError only if the query names a snapshot */
  async page(query: PageQuery): Promise<RankingPage> {
    const { snapshot, season = "" } = query;
    if (snapshot === undefined)
      return this.#readNewest(season, (row) => this.#readPage(row, query));
    const row = await this.#find(snapshot, season);
    if (row === undefined) throw new SnapshotGoneError(snapshot);
    try {
      return await this.#readPage(row, query);
    } catch (error) {
      throw error instanceof WithdrawnError ? new SnapshotGoneError(snapshot) : error;
    }
  }

  /** An address's points in the newest total ranking; null: it is not in it. @throws NoSnapshotError */
  points(address: string): Promise<bigint | null> {
    return this.#readNewest("", async (row) => {
      const entry = await this.#entry(row, address);
      return entry === null ? null : BigInt(entry.points);
    });
  }

  /** An address's total rank at the end of each kept day, and now. @throws NoSnapshotError */
  history(address: string): Promise<readonly HistoryEntry[]> {
    return this.#readNewest("", async (newest) => {
      const { rows } = await this.#database.run(findAll, { season: "" });
      const days = new Map(rows.map((row) => [Math.floor(row.time / secondsPerDay), row]));
      const entries: HistoryEntry[] = [];
      for (const row of [...days.values()].filter(({ id }) => id <= newest.id)) {
        const entry = await this.#entry(row, address);
        if (entry !== null) entries.push(entry);
      }
      return entries;
    });
  }

  /** Null: the address is not in the ranking. @throws WithdrawnError */
  async #entry(row: SnapshotRow, address: string): Promise<HistoryEntry | null> {
    const { total: place } = await this.#blocks.standing(row, address);
    if (place === 0) return null;
    const record = textOf((await this.#blocks.records(row, "total", place - 1, place)).pieces);
    const { rank, points } = JSON.parse(record);
    return { timestamp: row.time, rank, points };
  }

  async #readNewest<Result>(
    season: string,
    read: (row: SnapshotRow) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const row = await this.#newest(season);
      if (row === undefined) throw new NoSnapshotError();
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
    const end = Math.min(offset + Math.min(query.size, maxSize), totalItems);
    const standing = address === null ? nowhere : await this.#blocks.standing(row, address);
    const place = standing[ranking];
    const leaderboard = await this.#blocks.records(row, ranking, offset, end);
    const user =
      place === 0
        ? "null"
        : textOf((await this.#blocks.records(row, ranking, place - 1, place)).pieces);
    return {
      snapshot: snapshotName(row),
      time: row.time,
      body: pageBody(user, leaderboard.pieces, totalItems),
      userOffset: place === 0 ? null : place - 1,
      version: `${offset} ${end} ${leaderboard.version} ${user} ${place} ${totalItems}`,
    };
  }

  #newest(season: string): Promise<SnapshotRow | undefined> {
    const now = performance.now();
    const known = this.#known.get(season);
    if (known !== undefined && now < known.until) return known.row;
    const row = this.#findNewest(season);
    const found = { row, until: now + this.#newestForMs };
    this.#known.set(season, found);
    // A failed read is not kept.
    row.catch(() => {
      if (this.#known.get(season) === found) this.#known.delete(season);
    });
    return row;
  }

  async #findNewest(season: string): Promise<SnapshotRow | undefined> {
    return (await this.#database.run(findNewest, { season })).rows[0];
  }

  async #find(snapshot: string, season: string): Promise<SnapshotRow | undefined> {
    const key = parseSnapshotName(snapshot);
    if (key === null) return undefined;
    return (await this.#database.run(find, { ...key, season })).rows[0];
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
