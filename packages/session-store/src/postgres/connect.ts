import {
  ConnectionPool,
  checkUrl,
  PostgresDatabase,
  type PostgresOptions,
} from "@proj/database/postgres";
import type { StoreSource } from "../dialect.ts";

export interface PostgresStoreOptions extends PostgresOptions {
  /** How long `close` waits for what was begun, in milliseconds. @default 10000 */
  readonly closeTimeoutMs?: number;
}

/** Any number, and the same for all programs that know this schema. */
const schemaLock = 7_351_204_881;
const readTimeoutMs = 10_000;
/** Of transactions that got into each other's way. */
const attempts = 5;

/**
 * What `open` makes of a pool, which is closed where that fails.
 * @throws TypeError `db_url` is not a URL of PostgreSQL; and whatever `open` throws
 */
export async function connect<Store>(
  options: PostgresStoreOptions,
  open: (pool: ConnectionPool) => Promise<Store>,
): Promise<Store> {
  checkUrl(options.db_url);
  const pool = new ConnectionPool(options, "session-store");
  try {
    return await open(pool);
  } catch (error) {
    await pool.close(0);
    throw error;
  }
}

export function databaseOf(
  pool: ConnectionPool,
  source: StoreSource,
  { closeTimeoutMs }: PostgresStoreOptions,
): PostgresDatabase<StoreSource> {
  return new PostgresDatabase({
    ...{ pool, source, schemaLock, readTimeoutMs, attempts },
    closeTimeoutMs,
  });
}
