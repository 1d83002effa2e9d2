import { randomUUID } from "node:crypto";
import type { Compilable } from "kysely";
import { createStorageInfo, migrations } from "../migrations/migrations.ts";
import { throwIfNewer } from "../migrations/schema-version.ts";
import { StoreSchemaError } from "../store-errors.ts";
import type { ConnectionPool, QueryRows } from "./connection-pool.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { createQueryBuilder } from "./query-builder.ts";
import { inTransaction } from "./run-transaction.ts";

interface StorageInfo {
  readonly storage_id: string;
  readonly schema_version: number;
}

/** Any number, and the same for all programs that know this schema. */
const schemaLock = 7_351_204_881;
/** For as many gateways as may start at once, and a migration of many rows. */
const migrationTimeoutMs = 600_000;
/** `IS JSON` came with it. */
const oldestServer = 160_000;

/**
 * Brings the schema up to date, makes it where there is none, and returns the `storage_id`. Of
 * programs that start at once one does it, and the others wait.
 * @throws StoreSchemaError the schema is newer than this program, or the server too old
 */
export function migrate(pool: ConnectionPool): Promise<string> {
  const begin = (query: QueryRows): Promise<string> =>
    inTransaction(query, async () => {
      await query({ sql: `set local statement_timeout = ${migrationTimeoutMs}`, values: [] });
      await query({ sql: "select pg_advisory_xact_lock($1)", values: [schemaLock] });
      return bringUpToDate(query);
    });
  return pool.use(begin, Date.now() + migrationTimeoutMs);
}

async function bringUpToDate(query: QueryRows): Promise<string> {
  const [server] = await query<{ readonly number: number; readonly name: string }>({
    sql: "select current_setting('server_version_num')::int as number, current_setting('server_version') as name",
    values: [],
  });
  if (server === undefined || server.number < oldestServer) {
    throw new StoreSchemaError(`PostgreSQL 16 or newer is needed, and this is ${server?.name}`);
  }
  const db = createQueryBuilder();
  const run = (statement: Compilable) => query({ sql: statement.compile().sql, values: [] });
  const [existing] = await query<{ readonly name: string | null }>({
    sql: "select to_regclass('storage_info')::text as name",
    values: [],
  });
  // Also where the user may not create tables, as long as there is nothing to create.
  if (existing?.name == null) await run(createStorageInfo(db));
  const [info] = await query<StorageInfo>({
    sql: "select storage_id, schema_version from storage_info",
    values: [],
  });
  const version = info?.schema_version ?? 0;
  throwIfNewer(version, migrations.length);
  for (const migration of migrations.slice(version)) {
    for (const statement of migration(db, postgresDialect)) await run(statement);
  }
  if (info === undefined) {
    const storage_id = randomUUID();
    await query({
      sql: "insert into storage_info (storage_id, schema_version, created_at) values ($1, $2, $3)",
      values: [storage_id, migrations.length, new Date().toISOString()],
    });
    return storage_id;
  }
  if (version < migrations.length) {
    await query({
      sql: "update storage_info set schema_version = $1",
      values: [migrations.length],
    });
  }
  return info.storage_id;
}
