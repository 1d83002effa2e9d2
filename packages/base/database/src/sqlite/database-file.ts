import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { StoreUnavailableError } from "../errors.ts";

export const sqlitePrefix = "sqlite://";

/**
 * The absolute path for `sqlite://<file>`; a relative path is relative to the working directory.
 * @throws TypeError the URL names no file
 */
export function databaseFile(db_url: string): string {
  // The rest is a path as the file system knows it: nothing in it is decoded, not even `?` and `%`.
  const path = db_url.startsWith(sqlitePrefix) ? db_url.slice(sqlitePrefix.length) : "";
  if (path === "" || path === ":memory:" || path.endsWith("/")) {
    const given = db_url.startsWith(sqlitePrefix) ? db_url : `${db_url.split("://", 1)[0]}://…`;
    throw new TypeError(
      `db_url must name a file in the form sqlite://<file> (relative) or sqlite:///<file> (absolute), but is ${given}`,
    );
  }
  const isDrive = process.platform === "win32" && /^\/[A-Za-z]:/.test(path);
  return resolve(isDrive ? path.slice(1) : path);
}

/**
 * Creates an empty database, and its folder, if it is missing. Only this user may read the file; SQLite gives its other
 * files the same permissions. An existing file keeps its permissions.
 * @throws StoreUnavailableError
 */
export function makeDatabaseFile(file: string): void {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailableError(
      `The folder ${folder} of the database does not exist and cannot be created: ${reason}`,
      { cause: error },
    );
  }
  createPrivately(file);
}

/** @throws StoreUnavailableError there is no such file */
export function requireDatabaseFile(file: string): void {
  if (existsSync(file)) return;
  throw new StoreUnavailableError(
    `There is no database ${file}: a relative path is relative to the folder in which a program is started`,
  );
}

/** Leaves an existing file alone: opening and closing it would end this process's SQLite locks on it. */
export function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch {
    // SQLite opens it next, and gives better errors.
  }
}
