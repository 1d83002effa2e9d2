import { setImmediate } from "node:timers/promises";
import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { PointsDatabase, PointsQuery, PointsSource } from "../storage/source.ts";

const blockTables = ["ranking_blocks", "standing_blocks"] as const;
type BlockTable = (typeof blockTables)[number] | "base_blocks";

/** Blocks per transaction: others wait for the lock during each. */
const blocksPerDelete = 2000;

const findWithdrawn = query(({ db }: PointsSource) =>
  db.selectFrom("snapshots").select("id").where("state", "=", "withdrawn"),
);
const remove = query(({ db }: PointsSource) =>
  db.deleteFrom("snapshots").where("id", "=", parameter<number>("id")),
);
// Snapshots that are being built may still be writing their bases.
const findOldBases = query(({ db }: PointsSource) =>
  db
    .selectFrom("base_blocks")
    .select("snapshot")
    .distinct()
    .where("snapshot", "not in", (build) =>
      build.selectFrom("snapshots").select("id").where("state", "=", "building"),
    )
    .where("snapshot", "not in", (build) => build.selectFrom("bases").select("snapshot")),
);

interface BlockDeletion {
  readonly findLast: PointsQuery<{ block: number | null }>;
  readonly remove: PointsQuery<unknown>;
}

const blockDeletion: Readonly<Record<BlockTable, BlockDeletion>> = {
  ranking_blocks: deletionFrom("ranking_blocks"),
  standing_blocks: deletionFrom("standing_blocks"),
  base_blocks: deletionFrom("base_blocks"),
};

/** Deletes what no reader can reach: withdrawn snapshots, and all bases but the current ones. */
export async function deleteWithdrawn(
  database: PointsDatabase,
  signal: AbortSignal,
): Promise<void> {
  for (const { snapshot } of (await database.run(findOldBases, {})).rows) {
    await deleteBlocks(database, "base_blocks", snapshot, signal);
  }
  for (const { id } of (await database.run(findWithdrawn, {})).rows) {
    for (const table of blockTables) await deleteBlocks(database, table, id, signal);
    await database.transaction((runner) => runner.run(remove, { id }));
  }
}

async function deleteBlocks(
  database: PointsDatabase,
  table: BlockTable,
  snapshot: number,
  signal: AbortSignal,
): Promise<void> {
  const { findLast, remove } = blockDeletion[table];
  const [last] = (await database.run(findLast, { snapshot })).rows;
  for (let first = 0; first <= (last?.block ?? -1); first += blocksPerDelete) {
    await setImmediate();
    signal.throwIfAborted();
    const values = { snapshot, first, end: first + blocksPerDelete };
    await database.transaction((runner) => runner.run(remove, values));
  }
}

function deletionFrom(table: BlockTable): BlockDeletion {
  const id = parameter<number>("snapshot");
  return {
    findLast: query(({ db }: PointsSource) =>
      db
        .selectFrom(table)
        .select((build) => build.fn.max("block").as("block"))
        .where("snapshot", "=", id),
    ),
    remove: query(({ db }: PointsSource) =>
      db
        .deleteFrom(table)
        .where("snapshot", "=", id)
        .where("block", ">=", parameter<number>("first"))
        .where("block", "<", parameter<number>("end")),
    ),
  };
}
