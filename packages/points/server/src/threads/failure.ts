import { StoreReplacedError, StoreSchemaError, StoreUnavailableError } from "@proj/database";
import { ImportError, type ImportReport } from "../ingest/import-report.ts";
import { CursorConflictError } from "../ledger/cursor.ts";
import { ProgramChangeError } from "../program/program-history.ts";
import { NoSnapshotError } from "../snapshots/no-snapshot-error.ts";
import { SnapshotSupersededError } from "../snapshots/snapshot-superseded-error.ts";

/** A serialised error, from a thread to its caller. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  /** The code of an error of the file system. */
  readonly code?: string | undefined;
  /** The report of an `ImportError`. */
  readonly report?: ImportReport | undefined;
  /** The value of a `CursorConflictError`. */
  readonly cursor?: string | null | undefined;
}

export function describeFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message } = error;
  const report = error instanceof ImportError ? error.report : undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const cursor = error instanceof CursorConflictError ? error.value : undefined;
  return { name, message, code, report, cursor };
}

export function restoreFailure({ name, message, code, report, cursor }: Failure): Error {
  if (report !== undefined) return new ImportError(report);
  if (cursor !== undefined) return new CursorConflictError(cursor);
  if (name === "StoreUnavailableError") return new StoreUnavailableError(message);
  if (name === "StoreReplacedError") return new StoreReplacedError(message);
  if (name === "StoreSchemaError") return new StoreSchemaError(message);
  if (name === "SnapshotSupersededError") return new SnapshotSupersededError();
  if (name === "NoSnapshotError") return new NoSnapshotError();
  if (name === "ProgramChangeError") return new ProgramChangeError(message);
  if (name === "TypeError") return new TypeError(message);
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}
