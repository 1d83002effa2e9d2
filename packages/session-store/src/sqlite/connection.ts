import Database from "better-sqlite3";
import { StoreSchemaError } from "../store-errors.ts";
import { type StopFlag, waitForLock } from "./lock-wait.ts";

/** A WAL is written over from its start once its content is in the database; a longer one is cut to this. */
const keptWalBytes = 32 * 1024 * 1024;

export function openWriterConnection(
  file: string,
  synchronous: "full" | "normal",
  until: number,
  stop: StopFlag,
): Database.Database {
  const database = new Database(file, { timeout: 0 });
  return closeOnError(database, () => {
    // For a new file only. Rows of 3 to 8 KB, which are what long histories leave, would each fill a page
    // of 8 KiB; smaller pages make small rows take more of them.
    database.pragma("page_size = 16384");
    // The first use of a file: it may be locked, by another program that makes the same new one.
    const mode = waitForLock(() => readPragma(database, "journal_mode = wal"), until, stop);
    if (mode !== "wal") {
      throw new StoreSchemaError(
        `it cannot be used in WAL mode (its mode is ${mode}): put it on a local disk`,
      );
    }
    // Payloads are UTF-8 bytes that the database takes as they are.
    const encoding = readPragma(database, "encoding");
    if (encoding !== "UTF-8") {
      throw new StoreSchemaError(`its text encoding is ${encoding}, and must be UTF-8`);
    }
    database.pragma(`synchronous = ${synchronous}`);
    // Without it macOS leaves what was synchronised in the drive's cache; elsewhere it means nothing.
    database.pragma(`fullfsync = ${synchronous === "full" ? "on" : "off"}`);
    // The checkpointer decides when: at SQLite's own threshold a commit would pay for it.
    database.pragma("wal_autocheckpoint = 0");
    database.pragma(`journal_size_limit = ${keptWalBytes}`);
  });
}

/**
 * Readers of a WAL hardly ever wait. Not opened read-only: such a connection cannot recover a WAL
 * that a killed process left.
 */
export function openReaderConnection(file: string): Database.Database {
  const database = new Database(file, { timeout: 1000, fileMustExist: true });
  return closeOnError(database, () => database.pragma("query_only = on"));
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

function readPragma(database: Database.Database, pragma: string): string {
  return String(database.pragma(pragma, { simple: true }));
}
