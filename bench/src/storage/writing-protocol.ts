import type { StoreOptions } from "@proj/session-store";

/** What the bench tells a process that writes rows, as an argument, and what comes back over IPC. */
export interface WritingSpec {
  readonly storage: StoreOptions;
  /** Rows a call. */
  readonly batch: number;
  readonly windowMs: number;
}

export interface WritingResult {
  readonly rows: number;
  readonly rows_per_second: number;
}
