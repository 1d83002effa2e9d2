/** What a row of the bench needs from its surroundings. */
export interface RowContext {
  readonly upstream: { readonly port: number; readonly pid: number };
  /** For `taskset -c`; null: not pinned. */
  readonly cores: string | null;
  /** An empty folder on a real disk for the row's files. */
  readonly folder: string;
  /** Modules that a Node server loads before its own code. */
  readonly preload?: readonly string[];
  /** Further options of the Node that runs the server. */
  readonly nodeOptions?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RunningServer {
  readonly port: number;
  readonly pid: number;
  /** Path of the chat endpoint; `{session}` is replaced by a session's id. */
  readonly path: string;
  /** Header lines that this server asks for, each ended by CRLF. */
  readonly headers: string;
  /** Whether answers arrive as the upstream wrote them, so that their length is known beforehand. */
  readonly relaysBytes: boolean;
  /** Whether answers hold figures of their own, such as a latency, and differ a little in length. @default false */
  readonly answerVaries?: boolean;
  /** The SQLite file that it writes rows to, if any. */
  readonly database?: string;
  readonly stop: () => Promise<void>;
}

/** What a server keeps of each call, and when. */
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
