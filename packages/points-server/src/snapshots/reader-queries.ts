import type { PointsDatabase } from "../storage/database.ts";
import { parameter, type StoredQuery, storeQuery } from "../storage/stored-query.ts";
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

/** All that reading snapshots asks of the database. */
export interface ReaderQueries {
  readonly findNewest: StoredQuery<SnapshotRow>;
  readonly find: StoredQuery<SnapshotRow>;
  readonly readStandings: StoredQuery<BlockRow>;
  readonly readRanking: StoredQuery<BlockRow>;
}

export function readerQueries({ builder }: PointsDatabase): ReaderQueries {
  const published = builder
    .selectFrom("snapshots")
    .select(["id", "salt", "time", "total_items", "lp_items", "swaps_items", "standing_blocks"])
    .where("state", "=", "published");
  return {
    findNewest: storeQuery(published.orderBy("id", "desc").limit(1)),
    find: storeQuery(
      published
        .where("id", "=", parameter<number>("id"))
        .where("salt", "=", parameter<string>("salt")),
    ),
    readStandings: storeQuery(
      builder
        .selectFrom("standing_blocks")
        .select("entries")
        .where("snapshot", "=", parameter<number>("snapshot"))
        .where("block", "=", parameter<number>("block")),
    ),
    readRanking: storeQuery(
      builder
        .selectFrom("ranking_blocks")
        .select("entries")
        .where("snapshot", "=", parameter<number>("snapshot"))
        .where("ranking", "=", parameter<number>("ranking"))
        .where("block", ">=", parameter<number>("first"))
        .where("block", "<=", parameter<number>("last"))
        .orderBy("block"),
    ),
  };
}
