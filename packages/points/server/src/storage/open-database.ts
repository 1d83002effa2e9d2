import type { PointsDatabase } from "./source.ts";

/** Where a store is, and how it is written to. */
export interface StorageOptions {
  /** `sqlite://file.db` (relative), `sqlite:///abs/file.db` or `postgres://user:password@host/database`. */
  readonly db_url: string;
  /**
   * SQLite: `full` survives a power failure, `normal` only a killed process.
   * @default "full"
   */
  readonly synchronous?: "full" | "normal" | undefined;
  /**
   * PostgreSQL: connections for readers.
   * @default 10
   */
  readonly poolSize?: number | undefined;
}

/** SQLite settings that depend on what a writer does. */
export interface WriterTuning {
  /** Page cache. @default 16 */
  readonly cacheMb?: number;
  /**
   * Size of the WAL at which a commit also copies it back. A larger one saves writes when the same pages change again
   * and again; a smaller one makes each wait shorter.
   * @default 128
   */
  readonly checkpointMb?: number;
}

/** A thread does one write after the other. */
const writerConnections = 2;

const sqlitePrefix = "sqlite://";

// Loads only the database in use: each thread loads its own copy, while others wait for the core.
const sqlite = () => import("./open-sqlite.ts");
const postgres = () => import("./open-postgres.ts");

/** For the thread that serves. @throws TypeError StoreUnavailableError */
export async function openForReading({
  db_url,
  poolSize = 10,
}: StorageOptions): Promise<PointsDatabase> {
  if (isSqlite(db_url)) return (await sqlite()).openSqliteReader(db_url);
  return (await postgres()).openPostgres(db_url, poolSize);
}

/** For threads that may wait. @throws TypeError StoreSchemaError StoreUnavailableError */
export async function openForWriting(
  { db_url, synchronous = "full" }: StorageOptions,
  { cacheMb = 16, checkpointMb = 128 }: WriterTuning = {},
): Promise<PointsDatabase> {
  if (isSqlite(db_url)) {
    const options = { synchronous, cacheMb, checkpointMb };
    return (await sqlite()).openSqliteWriter(db_url, options);
  }
  return (await postgres()).openPostgres(db_url, writerConnections);
}

/** @throws TypeError the URL is for neither database; the message contains no password */
export function isSqlite(db_url: string): boolean {
  if (db_url.startsWith(sqlitePrefix)) return true;
  if (/^postgres(ql)?:\/\//.test(db_url)) return false;
  throw new TypeError(
    `db_url must begin with sqlite:// or postgres://, but is ${db_url.split("://", 1)[0]}…`,
  );
}
