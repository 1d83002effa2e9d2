/** What a row of the bench needs from its environment. */
export interface RowContext {
  readonly upstream: {
    readonly port: number;
    readonly pid: number;
    /** Where everything runs that the server under test talks to. */
    readonly cores: string | null;
  };
  /** For `taskset -c`; null: not pinned. */
  readonly cores: string | null;
  /** An empty folder on a real disk for the row's files. */
  readonly folder: string;
}

export interface RunningServer {
  readonly port: number;
  readonly pid: number;
  /** Path of the chat endpoint; `{session}` is replaced by a session's id. */
  readonly path: string;
  /** The SQLite file that it writes rows to, if any. */
  readonly database?: string;
  readonly stop: () => Promise<void>;
}

export interface ServerRow {
  readonly name: string;
  /** One line for readers of the table. */
  readonly description: string;
  /** What it stores of each call. */
  readonly records: "every step durably" | "nothing";
  /** Why the row cannot run here, or null. */
  readonly reasonMissing: () => Promise<string | null>;
  readonly start: (context: RowContext) => Promise<RunningServer>;
}

export const UPSTREAM_PATH = "/v1/chat/completions";
