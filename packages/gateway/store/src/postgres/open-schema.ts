import { migrate, monotonicMs } from "@proj/database";
import type { ConnectionPool, PostgresDatabase } from "@proj/database/postgres";
import { compileMigrations } from "@proj/database/queries";
import type { StoreSource } from "../dialect.ts";
import { migrations } from "../migrations/migrations.ts";
import { databaseOf, type PostgresStoreOptions } from "./connect.ts";
import { olderPostgresSource, postgresSource } from "./postgres-source.ts";
import { makeJsonFunction, sourceOf } from "./server.ts";

/** Long enough for many gateways that start at once, and for a migration of many rows. */
const migrationTimeoutMs = 600_000;

export interface OpenSchema {
  readonly storage_id: string;
  /** Runs the queries that suit this server. */
  readonly database: PostgresDatabase<StoreSource>;
}

/**
 * Creates the schema or updates it. When several programs start at once, one does this and the others wait.
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
