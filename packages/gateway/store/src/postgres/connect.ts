import {
  ConnectionPool,
  checkUrl,
  PostgresDatabase,
  type PostgresOptions,
} from "@proj/database/postgres";
import type { StoreSource } from "../dialect.ts";

export interface PostgresStoreOptions extends PostgresOptions {
  /** How long `close` waits for operations in progress, in milliseconds. @default 10000 */
  readonly closeTimeoutMs?: number;
  /** Strings of payloads from this size on are stored once for each job, in bytes. @default 32768 */
  readonly large_value_bytes?: number;
  /**
   * Called when the database has lost something that it had acknowledged to this store, such as a standby that was
   * promoted without the last transactions. Sessions bound before are no longer bound.
   */
  readonly onWentBack?: (() => void) | undefined;
}

/** An arbitrary number, shared by all programs that know this schema. */
const schemaLock = 7_351_204_881;
const readTimeoutMs = 10_000;
/** How often to try transactions that conflict with each other. */
const attempts = 5;

/**
 * Opens a store over a new pool; closes the pool if `open` fails.
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
