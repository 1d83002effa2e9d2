import { monotonicMs } from "@proj/database";
import { sql } from "@proj/database/kysely";
import { createSqliteBuilder } from "@proj/database/queries";
import {
  type Connection,
  databaseFile,
  explainSqliteError,
  lockWaited,
  makeDatabaseFile,
  openReaderConnection,
  openWriterConnection,
  SqliteDatabase,
} from "@proj/database/sqlite";
import type { KnownDatabase } from "@proj/database/threads";
import type { PointsDatabase, PointsSource } from "./source.ts";

export interface SqliteWriterOptions {
  readonly synchronous: "full" | "normal";
  readonly cacheMb: number;
  readonly checkpointMb: number;
}

/** A WAL is reused from its start once its content is in the database; a longer one is truncated to this size. */
const keptWalBytes = 64 * 1024 * 1024;
/** For waiting until another program has created the same new file. */
const openTimeoutMs = 10_000;
/** How long a write waits for the lock of another connection. */
const busyTimeoutMs = 30_000;
/** How often a reader checks whether its file was replaced; a write checks before and after. */
const lookMs = 1_000;
/** Never signalled: these threads are not interrupted while they wait. */
const stop: Int32Array<SharedArrayBuffer> = new Int32Array(new SharedArrayBuffer(4));

const source: PointsSource = {
  db: createSqliteBuilder(),
  dialect: {
    byteOrder: "binary",
    keepInKeyOrder: (table) => table.modifyEnd(sql`without rowid`),
  },
};

/** For the thread that serves: it never writes, so it never waits for a lock. @throws TypeError StoreUnavailableError */
export async function openSqliteReader(db_url: string): Promise<PointsDatabase> {
  const file = databaseFile(db_url);
  return open(file, (known) => openReaderConnection({ file, stop, known }));
}

/** @throws TypeError StoreSchemaError StoreUnavailableError */
export async function openSqliteWriter(
  db_url: string,
  options: SqliteWriterOptions,
): Promise<PointsDatabase> {
  const file = databaseFile(db_url);
  makeDatabaseFile(file);
  return open(file, (known) => connect(file, known, options));
}

async function open(
  file: string,
  connect: (known: KnownDatabase | null) => Connection,
): Promise<PointsDatabase> {
  const options = { file, source, connect, stop, busyTimeoutMs, lookMs, reopens: true };
  try {
    const until = monotonicMs() + openTimeoutMs;
    return await lockWaited(() => new SqliteDatabase(options), until, stop);
  } catch (error) {
    throw explainSqliteError(error, file);
  }
}

function connect(
  file: string,
  known: KnownDatabase | null,
  { synchronous, cacheMb, checkpointMb }: SqliteWriterOptions,
): Connection {
  const options = { synchronous, keptWalBytes, checkpointBytes: checkpointMb * 1024 * 1024 };
  const until = monotonicMs() + openTimeoutMs;
  const connection = openWriterConnection({ file, stop, known }, options, until);
  const { database } = connection;
  database.pragma(`cache_size = ${-1024 * cacheMb}`);
  // A statement of many rows journals the pages it changes: in files that was a third of an import's time.
  database.pragma("temp_store = memory");
  return connection;
}
