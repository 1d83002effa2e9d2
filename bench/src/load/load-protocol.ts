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
  /** The process whose CPU time is read before and after. */
  readonly pid: number;
  /** The length that every answer's body must have. */
  readonly answerBytes: number;
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

/** Asks for paths in turn in a closed loop, until it is told to stop; answered once all connections have warmed up. */
export interface PathsSpec {
  readonly kind: "paths";
  readonly port: number;
  /** The server's process. */
  readonly pid: number;
  readonly connections: number;
  /** Time before the measurement. */
  readonly rampMs: number;
  readonly paths: readonly string[];
  /** An answer with a smaller body is wrong. */
  readonly minBodyBytes: number;
}

export interface PathsResult {
  readonly requests_per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly longest_ms: number;
  readonly answers: number;
  readonly cpu_us_per_request: number;
  /** The number of cores that all the server's threads used together. */
  readonly busy: number;
  readonly errors: number;
}

export type LoadCommand = RoundSpec | StreamsSpec | PathsSpec | { readonly kind: "stop" };
export type LoadResult = RoundResult | StreamsResult | PathsResult | null;
export type LoadReply = { readonly result: LoadResult } | { readonly failure: string };
