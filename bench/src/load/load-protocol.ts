/** What the bench tells its load generator, over IPC, and what comes back. */

export const BODY_NAMES = ["1k", "200k", "1m", "stream"] as const;
export type BodyName = (typeof BODY_NAMES)[number];

/** Where requests go. */
export interface LoadTarget {
  /** Names the server: its sessions go on from round to round. */
  readonly row: string;
  readonly port: number;
  /** `{session}` is replaced by the session's id. */
  readonly path: string;
  /** Header lines, each ended by CRLF. */
  readonly headers: string;
  /** Whose CPU time is read before and after. */
  readonly pid: number;
  /** Bytes that every answer's body must have; null: what the first answer had. */
  readonly answerBytes: number | null;
  /** Whether lengths within a tenth of it are right as well. */
  readonly answerVaries: boolean;
}

/** Closed loop: every connection sends its next request when it has its answer. */
export interface RoundSpec {
  readonly kind: "round";
  readonly target: LoadTarget;
  readonly body: BodyName;
  readonly connections: number;
  /** Before the measured window. */
  readonly rampMs: number;
  readonly windowMs: number;
  /** Pause between the chunks of a streamed answer. Default 0. */
  readonly paceMs?: number;
  /** Longest random pause before a request. Default 0. */
  readonly thinkMs?: number;
  /** Requests a second over all connections. Default: as many as go. */
  readonly ratePerSecond?: number;
  /** Sessions among which the requests are spread. @default 64, and one for each connection */
  readonly sessions?: number;
  /** Bytes of every body, of chat bodies alone. @default about 1 KB */
  readonly bodyBytes?: number;
}

export interface RoundResult {
  /** Answers that came within the window. */
  readonly requests: number;
  readonly requests_per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly first_byte_p50_ms: number;
  /** Of the server's process, all threads, until it is idle again. */
  readonly cpu_us_per_request: number;
  readonly errors: number;
  readonly first_error: string | null;
  readonly answer_bytes: number;
}

/** Opens all connections, sends one streamed request on each at the same moment and waits for the ends. */
export interface StreamsSpec {
  readonly kind: "streams";
  readonly target: LoadTarget;
  readonly streams: number;
  readonly paceMs: number;
}

export interface StreamsResult {
  readonly finished: number;
  readonly cut: number;
  /** The most that were under way at one moment. */
  readonly at_once: number;
  readonly seconds: number;
  readonly first_byte_p50_ms: number;
  readonly first_error: string | null;
}

/** Probes `GET path` every `intervalMs` on a connection of its own. */
export interface ProbeSpec {
  readonly kind: "probe";
  readonly port: number;
  readonly path: string;
  readonly intervalMs: number;
  readonly windowMs: number;
}

export interface ProbeResult {
  readonly probes: number;
  readonly errors: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
}

export type LoadCommand = RoundSpec | StreamsSpec | ProbeSpec;
export type LoadResult = RoundResult | StreamsResult | ProbeResult;
export type LoadReply = { readonly result: LoadResult } | { readonly failure: string };
