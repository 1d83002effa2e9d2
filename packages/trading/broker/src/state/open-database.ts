import { resolve } from "node:path";
import { StoreUnavailableError } from "@proj/database";
import { FileIdentity, FileOwner, isBusy, makeDatabaseFile } from "@proj/database/sqlite";
import Database from "better-sqlite3";
import { StateError } from "./state-error.ts";

/** The state of a market, opened exclusively. */
export interface OpenState {
  readonly database: Database.Database;
  /** @throws StoreReplacedError the file was replaced, so writes would be lost */
  check(): void;
  close(): void;
}

/**
 * Opens the file exclusively, and creates it if it is missing. Commits survive the death of the process.
 * @param file null: in memory
 * @throws StateError it cannot be opened
 */
export function openDatabase(file: string | null): OpenState {
  if (file === null) return inMemory();
  const path = resolve(file);
  const owner = new FileOwner(path, {
    program: "paper broker",
    advice: "Stop that process, or use another file.",
  });
  let database: Database.Database | null = null;
  try {
    makeDatabaseFile(path);
    owner.hold();
    database = new Database(path, { timeout: 0 });
    // Nobody else may write to it. The lock ends with the process, however that ends.
    database.pragma("locking_mode = exclusive");
    database.pragma("journal_mode = wal");
    // In WAL mode, commits survive the death of the process; only a power failure can lose the last ones.
    database.pragma("synchronous = normal");
    // Rare checkpoints are cheaper: each one waits for the disk.
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
  // With a single user, SQLite keeps no -shm file.
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

/** Turns a failure into an error that says what to do. */
export function explain(error: unknown, file: string): StateError {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreUnavailableError) return new StateError(reason, { cause: error });
  const message = isBusy(error)
    ? `The state ${file} is in use by another process: stop that process, or use another file`
    : `The state ${file} cannot be used (${reason}): check its folder and the free space on its disk`;
  return new StateError(message, { cause: error });
}
