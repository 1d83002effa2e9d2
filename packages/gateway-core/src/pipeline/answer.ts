import type { CallError } from "../gateway-error.ts";

/**
 * Takes the body of an answer. `end` and `fail` come once, last, and exclude each other.
 */
export interface BodySink {
  /** Returns false when it wants no more for now; it then calls `resume` of the body. */
  write(chunk: Uint8Array): boolean;
  /** The body is whole; `tail` are its last bytes (the terminal event of a stream), possibly none. */
  end(tail: readonly Uint8Array[]): void;
  /** The body will never be whole. */
  fail(error: CallError): void;
}

/** The body of an answer: pushes into the one sink it is given, and nothing before it is given one. */
export interface AnswerBody {
  pipe(sink: BodySink): void;
  /** Goes on after a `write` that returned false. */
  resume(): void;
  /** Stops at once and fails the sink with the reason; nothing where the body has ended. */
  cancel(reason: CallError): void;
}

/** What became of an answer: delivered whole, or why not. */
export interface Settlement {
  readonly error: CallError | null;
}

export interface Answer {
  readonly status: number;
  /** Names and values in turn, as the caller gets them; names in lower case. */
  readonly headers: string[];
  body: AnswerBody;
  /** How the upstream's answer is to be understood; `none` for what the gateway made itself. */
  readonly format: AnswerFormat;
  readonly upstream: UpstreamFacts | null;
  /** The upstream's body has ended, failed or been dropped: its place on the route is free. */
  readonly received: Promise<void>;
  /** Nothing of this answer is left anywhere: delivered or dropped, its row written or given up. Never rejects. */
  readonly settled: Promise<Settlement>;
  /** Called once by whoever takes the body to its end. */
  settle(settlement: Settlement): void;
}

/** By the upstream's `content-type` and `content-encoding`, never by the request. */
export type AnswerFormat = "event_stream" | "plain" | "encoded";

export interface UpstreamFacts {
  readonly status: number;
  /** The upstream's own id of the request, from its `x-request-id`. */
  readonly request_id: string | null;
  readonly replica: string;
  readonly attempts: number;
  readonly content_type: string | null;
  readonly content_encoding: string | null;
  /** The headers that the route's `record_headers` names and the upstream sent. */
  readonly recorded_headers: Readonly<Record<string, string>> | null;
}

/** The parts of an answer that its maker decides; the settlement is added to them. */
export type AnswerParts = Omit<Answer, "settled" | "settle">;

export function createAnswer(parts: AnswerParts): Answer {
  const { promise, resolve } = Promise.withResolvers<Settlement>();
  return { ...parts, settled: promise, settle: resolve };
}

/** An answer that the gateway makes itself, whole from the start. */
export function createOwnAnswer(
  status: number,
  headers: string[],
  format: AnswerFormat,
  bytes: Uint8Array,
): Answer {
  const body: AnswerBody = {
    pipe: (sink) => sink.end([bytes]),
    resume: () => {},
    cancel: () => {},
  };
  return createAnswer({ status, headers, body, format, upstream: null, received: Promise.resolve() });
}
