import Database from "better-sqlite3";
import { StoreSchemaError } from "../store-errors.ts";

/** Of new files. In pages of SQLite's 4 KiB, blocks and rows leave a third empty. */
const pageBytes = 16 * 1024;
/** A WAL is written over from its start once its content is in the database; a longer one is cut to this. */
const keptWalBytes = 64 * 1024 * 1024;
/** Readers of a WAL wait for next to nothing: at most for another program's recovery of it. */
const readWaitMs = 1000;

/** For the thread that serves: it never waits for a lock, as it never writes. */
export function openReader(file: string): Database.Database {
  // Not opened read-only: such a connection cannot recover a WAL that a killed process left.
  const database = new Database(file, { timeout: readWaitMs, fileMustExist: true });
  return closeOnError(database, () => database.pragma("query_only = on"));
}

export interface WriterOptions {
  readonly synchronous: "full" | "normal";
  readonly cacheMb: number;
  readonly checkpointMb: number;
}

/** Waiting for the lock is the caller's: SQLite would sleep where no abort can reach it. */
export function openWriter(
  file: string,
  { synchronous, cacheMb, checkpointMb }: WriterOptions,
): Database.Database {
  const database = new Database(file, { timeout: 0 });
  return closeOnError(database, () => {
    // Of no effect once there is something in the file.
    database.pragma(`page_size = ${pageBytes}`);
    const mode = String(database.pragma("journal_mode = wal", { simple: true }));
    if (mode !== "wal") {
      throw new StoreSchemaError(
        `${file} cannot be used in WAL mode (its mode is ${mode}): put it on a local disk`,
      );
    }
    database.pragma(`synchronous = ${synchronous}`);
    // Without it macOS leaves what was synchronised in the drive's cache; elsewhere it means nothing.
    database.pragma(`fullfsync = ${synchronous === "full" ? "on" : "off"}`);
    database.pragma(`cache_size = ${-1024 * cacheMb}`);
    // A statement of many rows keeps what the pages were that it changes: in files, a third of an import's time.
    database.pragma("temp_store = memory");
    const pageSize = Number(database.pragma("page_size", { simple: true }));
    database.pragma(`wal_autocheckpoint = ${Math.ceil((checkpointMb * 1024 * 1024) / pageSize)}`);
    database.pragma(`journal_size_limit = ${keptWalBytes}`);
  });
}

function closeOnError(database: Database.Database, configure: () => void): Database.Database {
  try {
    configure();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
