import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { PointsQuery, PointsSource } from "../storage/source.ts";
import type { SnapshotKey } from "./snapshot-name.ts";

export interface SnapshotRow extends SnapshotKey {
  readonly time: number;
  readonly total_items: number;
  readonly lp_items: number;
  readonly swaps_items: number;
  readonly standing_blocks: number;
}

interface BlockRow {
  readonly entries: string;
}

/** The queries that read snapshots. */
export interface ReaderQueries {
  readonly findNewest: PointsQuery<SnapshotRow>;
  readonly find: PointsQuery<SnapshotRow>;
  /** Oldest first. */
  readonly findAll: PointsQuery<SnapshotRow>;
  readonly readStandings: PointsQuery<BlockRow>;
  readonly readRanking: PointsQuery<BlockRow>;
}

const published = ({ db }: PointsSource) =>
  db
    .selectFrom("snapshots")
    .select(["id", "salt", "time", "total_items", "lp_items", "swaps_items", "standing_blocks"])
    .where("state", "=", "published")
    .where("season", "=", parameter<string>("season"));

export const readerQueries: ReaderQueries = {
  findNewest: query((source: PointsSource) => published(source).orderBy("id", "desc").limit(1)),
  findAll: query((source: PointsSource) => published(source).orderBy("id")),
  find: query((source: PointsSource) =>
    published(source)
      .where("id", "=", parameter<number>("id"))
      .where("salt", "=", parameter<string>("salt")),
  ),
  readStandings: query(({ db }: PointsSource) =>
    db
      .selectFrom("standing_blocks")
      .select("entries")
      .where("snapshot", "=", parameter<number>("snapshot"))
      .where("block", "=", parameter<number>("block")),
  ),
  readRanking: query(({ db }: PointsSource) =>
    db
      .selectFrom("ranking_blocks")
      .select("entries")
      .where("snapshot", "=", parameter<number>("snapshot"))
      .where("ranking", "=", parameter<number>("ranking"))
      .where("block", ">=", parameter<number>("first"))
      .where("block", "<=", parameter<number>("last"))
      .orderBy("block"),
  ),
};
