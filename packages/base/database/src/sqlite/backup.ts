import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { StoreUnavailableError } from "../errors.ts";
import { createPrivately, requireDatabaseFile } from "./database-file.ts";
import { explainSqliteError } from "./sqlite-failure.ts";

/** For a lock that another program holds while it creates or repairs the WAL. */
const busyTimeoutMs = 10_000;

/**
 * Copies a database, on this thread, as it is at one moment, while other programs read and write it. The copy is one
 * compact file, readable only by its user, and appears under its name when it is complete and on the disk. During the
 * copy, the database's WAL grows with everything that is written.
 * @returns the size of the copy in bytes
 * @throws StoreUnavailableError also if `target` already exists
 */
export function backupDatabase(file: string, target: string): number {
  requireDatabaseFile(file);
  if (existsSync(target)) {
    throw new StoreUnavailableError(`${target} already exists: give the backup a new name`);
  }
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  createPrivately(partial);
  try {
    copy(file, partial);
    check(partial);
    synchronise(partial);
    renameSync(partial, target);
    synchronise(dirname(target));
  } catch (error) {
    rmSync(partial, { force: true });
    throw explainSqliteError(error, file);
  }
  return statSync(target).size;
}

function copy(file: string, target: string): void {
  const database = new Database(file, { fileMustExist: true, timeout: busyTimeoutMs });
  try {
    // One read transaction, so writes by others never make the copy start again.
    database.prepare("vacuum into ?").run(target);
  } finally {
    database.close();
  }
}

/** A backup that cannot be read is worse than none. */
function check(file: string): void {
  const database = new Database(file, { readonly: true });
  try {
    const result = database.pragma("quick_check(1)", { simple: true });
    if (result !== "ok") throw new StoreUnavailableError(`the copy is damaged: ${result}`);
  } finally {
    database.close();
  }
}

/** SQLite does not wait for the disk when it creates a file in this way. */
function synchronise(path: string): void {
  // Windows cannot open a folder, and need not.
  if (process.platform === "win32" && statSync(path).isDirectory()) return;
  const descriptor = openSync(path, statSync(path).isDirectory() ? "r" : "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
