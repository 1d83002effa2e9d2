import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { StoreUnavailableError } from "../store-errors.ts";

export const sqlitePrefix = "sqlite://";

/**
 * The absolute path that `sqlite://<file>` means; a relative one is relative to the working directory.
 * @throws TypeError the URL names no file
 */
export function databaseFile(db_url: string): string {
  // The rest is a path as the file system knows it: nothing in it is decoded, `?` and `%` included.
  const path = db_url.slice(sqlitePrefix.length);
  if (path === "" || path === ":memory:" || path.endsWith("/")) {
    throw new TypeError(
      `db_url must name a file in the form sqlite://<file> (relative) or sqlite:///<file> (absolute), but is ${db_url}`,
    );
  }
  const isDrive = process.platform === "win32" && /^\/[A-Za-z]:/.test(path);
  return resolve(isDrive ? path.slice(1) : path);
}

/** Makes the folder of a database where there is none. @throws StoreUnavailableError */
export async function makeFolder(file: string): Promise<void> {
  const folder = dirname(file);
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailableError(
      `The folder ${folder} of the database does not exist and cannot be made: ${reason}`,
      { cause: error },
    );
  }
}
