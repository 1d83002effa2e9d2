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
  /** Modules for a Node server to load before its own code. */
  readonly preload?: readonly string[];
  /** Additional options for the Node that runs the server. */
  readonly nodeOptions?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RunningServer {
  readonly port: number;
  readonly pid: number;
  /** Path of the chat endpoint; `{session}` is replaced by a session's id. */
  readonly path: string;
  /** Header lines that this server needs, each ended by CRLF. */
  readonly headers: string;
  /** Whether answers are the upstream's own bytes, so that their length is known beforehand. */
  readonly relaysBytes: boolean;
  /** Whether the server adds figures to answers, such as a latency, so that lengths differ a little. @default false */
  readonly answerVaries?: boolean;
  /** The SQLite file that it writes rows to, if any. */
  readonly database?: string;
  readonly stop: () => Promise<void>;
}

/** What a server stores of each call, and when. */
export type Records = "every step durably" | "later or lossily" | "nothing";

export interface ServerRow {
  readonly name: string;
  /** One line for readers of the table. */
  readonly description: string;
  readonly records: Records;
  /** Why the row cannot run here, or null. May install what the row needs. */
  readonly reasonMissing: () => Promise<string | null>;
  readonly start: (context: RowContext) => Promise<RunningServer>;
}

export const UPSTREAM_PATH = "/v1/chat/completions";
