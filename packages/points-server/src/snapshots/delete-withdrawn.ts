import { setImmediate } from "node:timers/promises";
import type { PointsDatabase } from "../storage/database.ts";
import { parameter, type StoredQuery, storeQuery } from "../storage/stored-query.ts";

const blockTables = ["ranking_blocks", "standing_blocks"] as const;
type BlockTable = (typeof blockTables)[number] | "base_blocks";

/** Blocks in a transaction: whoever waits for the lock waits for so many. */
const blocksPerDelete = 2000;

/** Deletes what no reader can reach any longer: withdrawn snapshots, and bases but the current one. */
export async function deleteWithdrawn(
  database: PointsDatabase,
  signal: AbortSignal,
): Promise<void> {
  const { builder } = database;
  const findWithdrawn = storeQuery(
    builder.selectFrom("snapshots").select("id").where("state", "=", "withdrawn"),
  );
  const remove = storeQuery(
    builder.deleteFrom("snapshots").where("id", "=", parameter<number>("id")),
  );
  // The bases of snapshots that are being built are on their way.
  const findOldBases = storeQuery(
    builder
      .selectFrom("base_blocks")
      .select("snapshot")
      .distinct()
      .where("snapshot", "not in", (build) =>
        build.selectFrom("snapshots").select("id").where("state", "=", "building"),
      )
      .where("snapshot", "not in", (build) =>
        build
          .selectFrom("ledger")
          .select((row) => row.fn.coalesce("base_snapshot", row.lit(0)).as("id")),
      ),
  );
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
  const { builder } = database;
  const id = parameter<number>("snapshot");
  const findLast: StoredQuery<{ block: number | null }> = storeQuery(
    builder
      .selectFrom(table)
      .select((build) => build.fn.max("block").as("block"))
      .where("snapshot", "=", id),
  );
  const remove = storeQuery(
    builder
      .deleteFrom(table)
      .where("snapshot", "=", id)
      .where("block", ">=", parameter<number>("first"))
      .where("block", "<", parameter<number>("end")),
  );
  const [last] = (await database.run(findLast, { snapshot })).rows;
  for (let first = 0; first <= (last?.block ?? -1); first += blocksPerDelete) {
    await setImmediate();
    signal.throwIfAborted();
    const values = { snapshot, first, end: first + blocksPerDelete };
    await database.transaction((runner) => runner.run(remove, values));
  }
}
