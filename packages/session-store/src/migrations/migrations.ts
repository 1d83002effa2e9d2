import type { Compilable, Kysely } from "kysely";
import type { StoreDialect } from "../dialect.ts";
import type { StoreTables } from "../schema.ts";
import { firstTables } from "./0001-first-tables.ts";
import { environmentsByStatus } from "./0002-environments-by-status.ts";
import { sessionOwners } from "./0003-session-owners.ts";
import { historiesOnce } from "./0004-histories-once.ts";

/** The statements that take the schema from one version to the next. */
export type Migration = (db: Kysely<StoreTables>, dialect: StoreDialect) => Compilable[];

/** In order; a schema's version is how many of them it has had. One that was released never changes. */
export const migrations: readonly Migration[] = [
  firstTables,
  environmentsByStatus,
  sessionOwners,
  historiesOnce,
];

/** What has to be there before there is a version: one row tells it. */
export function createStorageInfo(db: Kysely<StoreTables>): Compilable {
  return db.schema
    .createTable("storage_info")
    .ifNotExists()
    .addColumn("storage_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("schema_version", "integer", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull());
}
