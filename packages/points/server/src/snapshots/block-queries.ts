import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { PointsQuery, PointsSource } from "../storage/source.ts";

/** How many blocks one statement inserts. */
export const blocksPerInsert = 16;

/** Inserts one block, or `blocksPerInsert` in one list: the columns of the key and the entries. */
export interface BlockInserts {
  readonly one: PointsQuery<unknown>;
  readonly many: PointsQuery<unknown>;
}

/** The queries that write blocks. */
export interface BlockQueries {
  /** Changes nothing, but checks that the snapshot may be built, and locks it until the transaction ends. */
  readonly keep: PointsQuery<unknown>;
  readonly inserts: Readonly<Record<"ranking" | "standings" | "base", BlockInserts>>;
}

const block = { block: parameter<number>("block"), entries: parameter<string>("entries") };
const snapshot = parameter<number>("snapshot");
const rows = {
  ranking_blocks: { snapshot, ranking: parameter<number>("ranking"), ...block },
  standing_blocks: { snapshot, ...block },
  base_blocks: { snapshot, part: parameter<number>("part"), ...block },
};

const insertsInto = (table: keyof typeof rows): BlockInserts => {
  const insert = (count: number) =>
    query(({ db }: PointsSource) =>
      db.insertInto(table).values(new Array(count).fill(rows[table])),
    );
  return { one: insert(1), many: insert(blocksPerInsert) };
};

export const blockQueries: BlockQueries = {
  keep: query(({ db }: PointsSource) =>
    db
      .updateTable("snapshots")
      .set({ state: "building" })
      .where("id", "=", parameter<number>("id"))
      .where("state", "=", "building"),
  ),
  inserts: {
    ranking: insertsInto("ranking_blocks"),
    standings: insertsInto("standing_blocks"),
    base: insertsInto("base_blocks"),
  },
};
