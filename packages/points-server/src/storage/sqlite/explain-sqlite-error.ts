import Database from "better-sqlite3";
import { StoreUnavailableError } from "../store-errors.ts";

/** What a caller can do about it, by the part of the code that all its extensions begin with. */
const explanations: Readonly<Record<string, string>> = {
  SQLITE_BUSY: "is locked by another process",
  SQLITE_LOCKED: "is locked by another connection",
  SQLITE_FULL: "cannot grow: the disk is full",
  SQLITE_IOERR: "cannot be read or written: check the disk and its free space",
  SQLITE_CANTOPEN: "cannot be opened: check that its folder exists and may be written",
  SQLITE_READONLY: "is read-only: check the permissions of the file and of its folder",
  SQLITE_PERM: "may not be used: check the permissions of the file and of its folder",
  SQLITE_CORRUPT: "is damaged: restore it from a backup, or recover it with the sqlite3 program",
  SQLITE_NOTADB: "is no SQLite database: check db_url",
};

/** SQLite's errors in words; all others as they are. */
export function explainSqliteError(error: unknown, file: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const family = error.code.split("_", 2).join("_");
  const explanation = explanations[family];
  const message =
    explanation === undefined
      ? `The database ${file} failed: ${error.message} (${error.code})`
      : `The database ${file} ${explanation} (${error.code}: ${error.message})`;
  return new StoreUnavailableError(message, { cause: error });
}

export function isBusy(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    (error.code.startsWith("SQLITE_BUSY") || error.code.startsWith("SQLITE_LOCKED"))
  );
}
