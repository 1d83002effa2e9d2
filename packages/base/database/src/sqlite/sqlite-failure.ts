import Database from "better-sqlite3";
import {
  RefusedError,
  StoreReplacedError,
  StoreSchemaError,
  StoreUnavailableError,
} from "../errors.ts";
import type { Failure } from "../threads/failure.ts";

/** What a caller can do about it, by the common prefix of the extended codes. */
const explanations: Readonly<Record<string, string>> = {
  SQLITE_BUSY: "is locked by another process",
  SQLITE_LOCKED: "is locked by another connection",
  SQLITE_FULL: "cannot grow: the disk is full",
  SQLITE_IOERR: "cannot be read or written: check the disk and its free space",
  SQLITE_CANTOPEN: "cannot be opened: check that its folder exists and may be written",
  SQLITE_READONLY: "is read-only: check the permissions of the file and of its folder",
  SQLITE_PERM: "may not be used: check the permissions of the file and of its folder",
  SQLITE_CORRUPT: "is damaged: restore it from a backup, or recover it with the sqlite3 program",
  SQLITE_NOTADB: "is not an SQLite database: check db_url",
};

/** The connection itself is fine after these. */
const sound: ReadonlySet<string> = new Set(["SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL"]);

/** The form in which an error goes from a thread to its caller. */
export function describeFailure(error: unknown, file: string): Failure {
  const cause = error instanceof ExplainedError ? error.cause : error;
  if (cause instanceof Database.SqliteError) {
    const isLast = !sound.has(family(cause));
    return { kind: "unavailable", message: messageOf(cause, file), isLast };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreSchemaError) {
    return { kind: "schema", message: `${file}: ${message}`, isLast: true };
  }
  if (error instanceof StoreReplacedError) return { kind: "replaced", message, isLast: true };
  if (error instanceof StoreUnavailableError) {
    return { kind: "unavailable", message: `${file}: ${message}`, isLast: false };
  }
  return { kind: "other", message, isLast: !(error instanceof RefusedError) };
}

/** SQLite's errors as errors of the store, with an explanation; all other errors unchanged. */
export function explainSqliteError(error: unknown, file: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  return new ExplainedError(messageOf(error, file), { cause: error });
}

/** Explains the error of SQLite that is its cause. */
class ExplainedError extends StoreUnavailableError {}

/**
 * Whether the database refused the row itself: without its payload it may be accepted. Every other error counts as
 * unavailability, so that no row is given up for a reason that may pass.
 */
export function isContentRefusal(error: unknown): error is Error {
  if (error instanceof Database.SqliteError) {
    return /^SQLITE_(TOOBIG|CONSTRAINT|MISMATCH|RANGE)/.test(error.code);
  }
  // better-sqlite3's errors for a value that it cannot bind.
  return error instanceof RangeError || error instanceof TypeError;
}

type SqliteError = InstanceType<typeof Database.SqliteError>;

function messageOf(error: SqliteError, file: string): string {
  const explanation = explanations[family(error)];
  return explanation === undefined
    ? `The database ${file} failed: ${error.message} (${error.code})`
    : `The database ${file} ${explanation} (${error.code}: ${error.message})`;
}

function family(error: SqliteError): string {
  return error.code.split("_", 2).join("_");
}
