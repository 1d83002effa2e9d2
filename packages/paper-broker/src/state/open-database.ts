import { resolve } from "node:path";
import { StoreUnavailableError } from "@proj/database";
import { FileIdentity, FileOwner, makeDatabaseFile } from "@proj/database/sqlite";
import Database from "better-sqlite3";
import { StateError } from "./state-error.ts";

/** The state of a market, open for this process alone. */
export interface OpenState {
  readonly database: Database.Database;
  /** @throws StoreReplacedError what is written now would not be found */
  check(): void;
  close(): void;
}

/**
 * Opens the file for this process alone; it is made where there is none. What was committed
 * survives the death of the process.
 * @param file null: in memory
 * @throws StateError it cannot be opened
 */
export function openDatabase(file: string | null): OpenState {
  if (file === null) return inMemory();
  const path = resolve(file);
  const owner = new FileOwner(path, {
    program: "paper broker",
    advice: "End that one, or use another file.",
  });
  let database: Database.Database | null = null;
  try {
    makeDatabaseFile(path);
    owner.hold();
    database = new Database(path, { timeout: 0 });
    // Nobody else may write it meanwhile. The lock goes with the process, however that ends.
    database.pragma("locking_mode = exclusive");
    database.pragma("journal_mode = wal");
    // In WAL this is safe from the death of the process; only a loss of power can take the last commits.
    database.pragma("synchronous = normal");
    // Each checkpoint waits for the disk: seldom is cheaper than often.
    database.pragma("wal_autocheckpoint = 8000");
    database.exec("begin immediate; commit");
    return guarded(database, path, owner);
  } catch (error) {
    database?.close();
    owner.release();
    throw explain(error, path);
  }
}

function inMemory(): OpenState {
  const database = new Database(":memory:");
  return { database, check() {}, close: () => void database.close() };
}

function guarded(database: Database.Database, path: string, owner: FileOwner): OpenState {
  // A file with one user has no index of its WAL on the disk.
  const identity = new FileIdentity(path, ["-wal"]);
  return {
    database,
    check: () => identity.check(),
    close() {
      database.close();
      owner.release();
    },
  };
}

/** What can be done about a failure. */
export function explain(error: unknown, file: string): StateError {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreUnavailableError) return new StateError(reason, { cause: error });
  const isBusy = error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
  const message = isBusy
    ? `The state ${file} is in use by another process: end that one, or use another file`
    : `The state ${file} cannot be used (${reason}): check its folder and the free space on its disk`;
  return new StateError(message, { cause: error });
}
