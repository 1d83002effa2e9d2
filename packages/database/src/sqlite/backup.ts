import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { StoreUnavailableError } from "../errors.ts";
import { createPrivately, requireDatabaseFile } from "./database-file.ts";
import { explainSqliteError } from "./sqlite-failure.ts";

/** For a lock that another program holds while it makes or repairs the WAL. */
const busyTimeoutMs = 10_000;

/**
 * Copies a database as it is at one moment, while others read and write it, in this thread. The copy is
 * compact and one file, only its user's, and appears under its name when it is whole and on the disk.
 * Meanwhile the database's WAL grows by what is written.
 * @returns the size of the copy in bytes
 * @throws StoreUnavailableError also where `target` exists already
 */
export function backupDatabase(file: string, target: string): number {
  requireDatabaseFile(file);
  if (existsSync(target)) {
    throw new StoreUnavailableError(`${target} exists already: give a backup a new name`);
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
    // One read transaction: no step of it has to begin again because somebody wrote meanwhile.
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

/** SQLite does not wait for the disk when it makes a file like this. */
function synchronise(path: string): void {
  // Windows cannot open a folder, and has no need to.
  if (process.platform === "win32" && statSync(path).isDirectory()) return;
  const descriptor = openSync(path, statSync(path).isDirectory() ? "r" : "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
