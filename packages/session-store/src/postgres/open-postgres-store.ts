import { randomUUID } from "node:crypto";
import type { SessionStore } from "../store.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { migrate } from "./migrate.ts";
import { checkUrl, type PostgresOptions } from "./postgres-options.ts";
import { PostgresStore } from "./postgres-store.ts";

export interface PostgresStoreOptions extends PostgresOptions {
  /** How long `close` waits for what was begun, in milliseconds. @default 10000 */
  readonly closeTimeoutMs?: number;
}

/**
 * Connects to the database and brings its schema up to date.
 * @throws TypeError `db_url` is no URL of PostgreSQL
 * @throws StoreSchemaError the schema is newer than this program, or the server older than 16
 * @throws StoreUnavailableError
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<SessionStore> {
  const { closeTimeoutMs = 10_000 } = options;
  checkUrl(options.db_url);
  const pool = new ConnectionPool(options);
  try {
    const storage_id = await migrate(pool);
    return new PostgresStore({ storage_id, gateway_id: randomUUID(), pool, closeTimeoutMs });
  } catch (error) {
    await pool.close(0);
    throw error;
  }
}
