import { ImportError, type ImportReport } from "../ingest/import-report.ts";
import { SnapshotSupersededError } from "../snapshots/snapshot-superseded-error.ts";
import { StoreSchemaError, StoreUnavailableError } from "../storage/store-errors.ts";

/** An error on its way from a thread to its caller. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  /** Of errors of the file system. */
  readonly code?: string | undefined;
  /** Of an `ImportError`. */
  readonly report?: ImportReport | undefined;
}

export function describeFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message } = error;
  const report = error instanceof ImportError ? error.report : undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { name, message, code, report };
}

export function restoreFailure({ name, message, code, report }: Failure): Error {
  if (report !== undefined) return new ImportError(report);
  if (name === "StoreUnavailableError") return new StoreUnavailableError(message);
  if (name === "StoreSchemaError") return new StoreSchemaError(message);
  if (name === "SnapshotSupersededError") return new SnapshotSupersededError();
  if (name === "TypeError") return new TypeError(message);
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}
