import type { StoreOptions } from "@proj/session-store";

/** What the bench passes as an argument to a process that writes rows, and what comes back over IPC. */
export interface WritingSpec {
  readonly storage: StoreOptions;
  /** Rows in each call. */
  readonly batch: number;
  readonly windowMs: number;
}

export interface WritingResult {
  readonly rows: number;
  readonly rows_per_second: number;
}
