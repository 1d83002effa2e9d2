import { randomUUID } from "node:crypto";
import type { PointsDatabase } from "./database.ts";
import { createStorageInfo, migrations } from "./migrations/migrations.ts";
import { StoreSchemaError } from "./store-errors.ts";
import { parameter, storeQuery } from "./stored-query.ts";

/**
 * Brings the schema up to date, and makes it where there is none.
 * @throws StoreSchemaError the schema is newer than this program
 * @throws StoreUnavailableError
 */
export async function migrate(database: PointsDatabase): Promise<void> {
  const { builder } = database;
  const readVersion = storeQuery(builder.selectFrom("storage_info").select("schema_version"));
  const insertInfo = storeQuery(
    builder.insertInto("storage_info").values({
      storage_id: parameter<string>("storage_id"),
      schema_version: parameter<number>("schema_version"),
      created_at: parameter<string>("created_at"),
    }),
  );
  const updateVersion = storeQuery(
    builder
      .updateTable("storage_info")
      .set({ schema_version: parameter<number>("schema_version") }),
  );
  const schema_version = migrations.length;
  await database.transaction(async (runner) => {
    await database.lockSchema(runner);
    await runner.run(storeQuery(createStorageInfo(builder)), []);
    const [info] = (await runner.run(readVersion, {})).rows;
    const version = info?.schema_version ?? 0;
    throwIfNewer(version, schema_version);
    for (const migration of migrations.slice(version)) {
      for (const statement of migration(builder, database.dialect))
        await runner.run(storeQuery(statement), {});
    }
    if (info === undefined) {
      const created_at = new Date().toISOString();
      await runner.run(insertInfo, { storage_id: randomUUID(), schema_version, created_at });
    } else if (version < schema_version) {
      await runner.run(updateVersion, { schema_version });
    }
  });
}

function throwIfNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new StoreSchemaError(
    `the database has schema version ${version}, and this program knows versions up to ${known}: use a newer version of the program, or another database`,
  );
}
