import type { PointsDatabase } from "./source.ts";

/** Where a store is, and how it is written. */
export interface StorageOptions {
  /** `sqlite://file.db` (relative), `sqlite:///abs/file.db` or `postgres://user:password@host/database`. */
  readonly db_url: string;
  /**
   * SQLite: `full` survives a loss of power, `normal` a killed process.
   * @default "full"
   */
  readonly synchronous?: "full" | "normal" | undefined;
  /**
   * PostgreSQL: connections of readers.
   * @default 10
   */
  readonly poolSize?: number | undefined;
}

/** How SQLite is used by what a writer does. */
export interface WriterTuning {
  /** Of its pages. @default 16 */
  readonly cacheMb?: number;
  /**
   * Of the WAL, after which a commit also writes it back: more is less to write where the same pages are
   * changed again and again, less is a shorter wait each time.
   * @default 128
   */
  readonly checkpointMb?: number;
}

/** A thread writes one thing after the other. */
const writerConnections = 2;

const sqlitePrefix = "sqlite://";

/** Only what is used: each thread of a store loads its own, and other threads wait for the core meanwhile. */
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

/** @throws TypeError the URL is of neither database; the message holds no password */
export function isSqlite(db_url: string): boolean {
  if (db_url.startsWith(sqlitePrefix)) return true;
  if (/^postgres(ql)?:\/\//.test(db_url)) return false;
  throw new TypeError(
    `db_url must begin with sqlite:// or postgres://, but is ${db_url.split("://", 1)[0]}…`,
  );
}
