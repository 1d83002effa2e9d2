import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";
import { StoreSchemaError } from "../store-errors.ts";
import { up as firstTables } from "./0001-first-tables.ts";

/** In order; the version of a schema is how many of them it has had. One that was released never changes. */
const migrations = [firstTables] as const;

/**
 * Brings the schema up to date, makes it where there is none, and returns the `storage_id`.
 * The caller has begun a transaction that keeps every other migrator out.
 * @throws StoreSchemaError the schema is newer than this program
 */
export async function migrate(db: Kysely<StoreTables>, dialect: StoreDialect): Promise<string> {
  await db.schema
    .createTable("storage_info")
    .ifNotExists()
    .addColumn("storage_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("schema_version", "integer", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .execute();
  const info = await db.selectFrom("storage_info").selectAll().executeTakeFirst();
  const version = info?.schema_version ?? 0;
  if (version > migrations.length) {
    throw new StoreSchemaError(
      `The database has schema version ${version}, and this program knows versions up to ${migrations.length}: use a newer version of the program, or another database.`,
    );
  }
  for (const up of migrations.slice(version)) await up(db, dialect);
  if (info === undefined) {
    const storage_id = randomUUID();
    const created_at = new Date().toISOString();
    await db
      .insertInto("storage_info")
      .values({ storage_id, schema_version: migrations.length, created_at })
      .execute();
    return storage_id;
  }
  if (version < migrations.length) {
    await db.updateTable("storage_info").set({ schema_version: migrations.length }).execute();
  }
  return info.storage_id;
}
