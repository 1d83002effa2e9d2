/** The IPC messages between the bench and its load generator. */

export const BODY_NAMES = ["1k", "200k", "1m", "stream"] as const;
export type BodyName = (typeof BODY_NAMES)[number];

/** Where requests go. */
export interface LoadTarget {
  /** The server's name: its sessions continue from round to round. */
  readonly row: string;
  readonly port: number;
  /** `{session}` is replaced by the session's id. */
  readonly path: string;
  /** Header lines, each ended by CRLF. */
  readonly headers: string;
  /** The process whose CPU time is read before and after. */
  readonly pid: number;
  /** The length that every answer's body must have; null: the first answer's. */
  readonly answerBytes: number | null;
  /** Whether lengths within a tenth of that are accepted, too. */
  readonly answerVaries: boolean;
}

/** Closed loop: every connection sends its next request once it has its answer. */
export interface RoundSpec {
  readonly kind: "round";
  readonly target: LoadTarget;
  readonly body: BodyName;
  readonly connections: number;
  /** Time before the measured window. */
  readonly rampMs: number;
  readonly windowMs: number;
  /** Pause between the chunks of a streamed answer. Default 0. */
  readonly paceMs?: number;
  /** Longest random pause before a request. Default 0. */
  readonly thinkMs?: number;
  /** Requests per second over all connections. Default: as many as possible. */
  readonly ratePerSecond?: number;
  /** The number of sessions that share the requests. @default 64, at least one for each connection */
  readonly sessions?: number;
  /** Size of every body; only for chat bodies. @default about 1 KB */
  readonly bodyBytes?: number;
}

export interface RoundResult {
  /** Answers that arrived within the window. */
  readonly requests: number;
  readonly requests_per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly first_byte_p50_ms: number;
  /** CPU of the server's process with all threads, until it is idle again. */
  readonly cpu_us_per_request: number;
  readonly errors: number;
  readonly first_error: string | null;
  readonly answer_bytes: number;
}

/** Opens all connections, sends one streamed request on each at the same moment and waits until all have ended. */
export interface StreamsSpec {
  readonly kind: "streams";
  readonly target: LoadTarget;
  readonly streams: number;
  readonly paceMs: number;
  /** Streams that take longer count as cut. */
  readonly maxMs: number;
}

export interface StreamsResult {
  readonly finished: number;
  readonly cut: number;
  /** The most that were in flight at one moment. */
  readonly at_once: number;
  readonly seconds: number;
  readonly first_byte_p50_ms: number;
  readonly first_error: string | null;
}

/** Probes `GET path` every `intervalMs` on a separate connection. */
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
