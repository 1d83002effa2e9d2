import type { CallError, GatewayError } from "../gateway-error.ts";
import type { AnswerFacts } from "../telemetry/answer-facts.ts";

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
  /** What is read of the body on its way; null for what the gateway made itself. */
  reading: AnswerReading | null;
  /** The upstream's body has ended, failed or been dropped: its place on the route is free. */
  readonly received: Promise<void>;
  /** Nothing of this answer is left anywhere: delivered or dropped, its row written or given up. Never rejects. */
  readonly settled: Promise<Settlement>;
  /** Called once by whoever takes the body to its end. */
  settle(settlement: Settlement): void;
}

/** Reads an answer's body while it passes. */
export interface AnswerReading {
  /** Bytes that have come from the upstream. */
  readonly response_bytes: number;
  /** To be asked when the body has ended or failed; the same facts each time. */
  facts(): AnswerFacts | Promise<AnswerFacts>;
  /** What tells the reader of a stream that it ends in an error; null where the format has no such thing. */
  errorEvent(error: GatewayError): Uint8Array | null;
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
export type AnswerParts = Omit<Answer, "settled" | "settle" | "reading">;

export function createAnswer(parts: AnswerParts): Answer {
  const { status, headers, body, format, upstream, received } = parts;
  const { promise: settled, resolve: settle } = Promise.withResolvers<Settlement>();
  return { status, headers, body, format, upstream, reading: null, received, settled, settle };
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
  return createAnswer({
    status,
    headers,
    body,
    format,
    upstream: null,
    received: Promise.resolve(),
  });
}

/** Whether the answer's body is an event stream, encoded or not. */
export function isEventStream(answer: Answer): boolean {
  if (answer.format !== "encoded") return answer.format === "event_stream";
  if (answer.status >= 400) return false;
  return answer.upstream?.content_type?.toLowerCase().startsWith("text/event-stream") === true;
}
