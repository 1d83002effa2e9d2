import { migrate, monotonicMs } from "@proj/database";
import type { ConnectionPool, PostgresDatabase } from "@proj/database/postgres";
import { compileMigrations } from "@proj/database/queries";
import type { StoreSource } from "../dialect.ts";
import { migrations } from "../migrations/migrations.ts";
import { databaseOf, type PostgresStoreOptions } from "./connect.ts";
import { olderPostgresSource, postgresSource } from "./postgres-source.ts";
import { makeJsonFunction, sourceOf } from "./server.ts";

/** For as many gateways as may start at once, and a migration of many rows. */
const migrationTimeoutMs = 600_000;

export interface OpenSchema {
  readonly storage_id: string;
  /** Its queries are those that this server can run. */
  readonly database: PostgresDatabase<StoreSource>;
}

/**
 * Brings the schema up to date, and makes it where there is none. Of programs that start at once one does
 * it, and the others wait.
 * @throws StoreSchemaError the schema is newer than this program, or the server too old
 */
export async function openSchema(
  pool: ConnectionPool,
  options: PostgresStoreOptions,
): Promise<OpenSchema> {
  const schema = databaseOf(pool, postgresSource, options);
  return schema.transaction(async (runner) => {
    const source = await sourceOf(runner);
    const storage_id = await migrate(schema, runner, compileMigrations(migrations, postgresSource));
    if (source === olderPostgresSource) await makeJsonFunction(runner);
    return { storage_id, database: databaseOf(pool, source, options) };
  }, monotonicMs() + migrationTimeoutMs);
}
