import Database from "better-sqlite3";
import { RefusedStepError } from "../refused-step-error.ts";
import { StoreSchemaError, StoreUnavailableError } from "../store-errors.ts";
import type { Failure } from "./failure.ts";

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
  SQLITE_NOTADB: "is no SQLite database: check storage_config.db_url",
};

/** After these the connection itself is sound. */
const sound: ReadonlySet<string> = new Set(["SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL"]);

export function describeFailure(error: unknown, file: string): Failure {
  if (error instanceof StoreSchemaError) {
    return { kind: "schema", message: `${file}: ${error.message}`, isLast: true };
  }
  if (error instanceof StoreUnavailableError) {
    return { kind: "unavailable", message: `${file}: ${error.message}`, isLast: false };
  }
  if (error instanceof Database.SqliteError) {
    const family = error.code.split("_", 2).join("_");
    const explanation = explanations[family];
    const message =
      explanation === undefined
        ? `The database ${file} failed: ${error.message} (${error.code})`
        : `The database ${file} ${explanation} (${error.code}: ${error.message})`;
    return { kind: "unavailable", message, isLast: !sound.has(family) };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "other", message, isLast: !(error instanceof RefusedStepError) };
}

/**
 * Whether it is the row that the database refused: stored without its payload it may pass. All
 * else is unavailability, so that nothing is ever given up for a reason that may pass by itself.
 */
export function isContentRefusal(error: unknown): error is Error {
  if (error instanceof Database.SqliteError) {
    return /^SQLITE_(TOOBIG|CONSTRAINT|MISMATCH|RANGE)/.test(error.code);
  }
  // What better-sqlite3 says of a value that it cannot bind.
  return error instanceof RangeError || error instanceof TypeError;
}
