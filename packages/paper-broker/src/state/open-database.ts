import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import Database from "better-sqlite3";
import { StateError } from "./state-error.ts";

/**
 * Opens the file for this process alone; it is made where there is none. What was committed
 * survives the death of the process.
 * @param file null: in memory
 * @throws StateError it cannot be opened
 */
export function openDatabase(file: string | null): Database.Database {
  if (file === null) return new Database(":memory:");
  const path = resolve(file);
  let database: Database.Database | null = null;
  try {
    mkdirSync(dirname(path), { recursive: true });
    database = new Database(path, { timeout: 0 });
    // Nobody else may write it meanwhile. The lock goes with the process, however that ends.
    database.pragma("locking_mode = exclusive");
    database.pragma("journal_mode = wal");
    // In WAL this is safe from the death of the process; only a loss of power can take the last commits.
    database.pragma("synchronous = normal");
    // Each checkpoint waits for the disk: seldom is cheaper than often.
    database.pragma("wal_autocheckpoint = 8000");
    database.exec("begin immediate; commit");
    return database;
  } catch (error) {
    database?.close();
    throw explain(error, path);
  }
}

/** What can be done about a failure. */
export function explain(error: unknown, file: string): StateError {
  const reason = error instanceof Error ? error.message : String(error);
  const isBusy = error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
  const message = isBusy
    ? `The state ${file} is in use by another process: end that one, or use another file`
    : `The state ${file} cannot be used (${reason}): check its folder and the free space on its disk`;
  return new StateError(message, { cause: error });
}
