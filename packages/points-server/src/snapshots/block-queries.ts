import type { Compilable } from "kysely";
import type { PointsDatabase } from "../storage/database.ts";
import { parameter, type StoredQuery, storeQuery } from "../storage/stored-query.ts";

/** Blocks that one statement inserts. */
export const blocksPerInsert = 16;

/** One block, and `blocksPerInsert` of them in one list: their key's columns and their entries. */
export interface BlockInserts {
  readonly one: StoredQuery<unknown>;
  readonly many: StoredQuery<unknown>;
}

/** All that writing blocks asks of the database. */
export interface BlockQueries {
  /** Changes nothing, but says, and makes sure until the transaction ends, that the snapshot may be built. */
  readonly keep: StoredQuery<unknown>;
  readonly inserts: Readonly<Record<"ranking" | "standings" | "base", BlockInserts>>;
}

export function blockQueries({ builder }: PointsDatabase): BlockQueries {
  const inserts = (insert: (rows: number) => Compilable): BlockInserts => ({
    one: storeQuery(insert(1)),
    many: storeQuery(insert(blocksPerInsert)),
  });
  const block = { block: parameter<number>("block"), entries: parameter<string>("entries") };
  const snapshot = parameter<number>("snapshot");
  const rankingRow = { snapshot, ranking: parameter<number>("ranking"), ...block };
  const standingRow = { snapshot, ...block };
  const baseRow = { snapshot, part: parameter<number>("part"), ...block };
  return {
    keep: storeQuery(
      builder
        .updateTable("snapshots")
        .set({ state: "building" })
        .where("id", "=", parameter<number>("id"))
        .where("state", "=", "building"),
    ),
    inserts: {
      ranking: inserts((rows) =>
        builder.insertInto("ranking_blocks").values(new Array(rows).fill(rankingRow)),
      ),
      standings: inserts((rows) =>
        builder.insertInto("standing_blocks").values(new Array(rows).fill(standingRow)),
      ),
      base: inserts((rows) =>
        builder.insertInto("base_blocks").values(new Array(rows).fill(baseRow)),
      ),
    },
  };
}
