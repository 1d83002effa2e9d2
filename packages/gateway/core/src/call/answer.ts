import type { AnswerFacts } from "@proj/model-apis";
import type { CallError, GatewayError } from "../errors/gateway-error.ts";
import { happened, Once } from "./once.ts";

/** Receives the body of an answer. Exactly one of `end` and `fail` is called, once and last. */
export interface BodySink {
  /** Returns false if it wants no more for now; it later calls the body's `resume`. */
  write(chunk: Uint8Array): boolean;
  /** The body is whole; `tail` holds its last bytes (a stream's terminal event), perhaps none. */
  end(tail: readonly Uint8Array[]): void;
  /** The body will never be whole. */
  fail(error: CallError): void;
}

/** The body of an answer. Pushes into the single sink it is given, and nothing before that. */
export interface AnswerBody {
  pipe(sink: BodySink): void;
  /** Continues after a `write` that returned false. */
  resume(): void;
  /** Stops at once and fails the sink with the reason; does nothing once the body has ended. */
  cancel(reason: CallError): void;
}

/** What became of an answer: delivered whole, or the reason why not. */
export interface Settlement {
  readonly error: CallError | null;
}

/** The parts of an answer that its creator decides. */
export interface AnswerParts {
  readonly status: number;
  /** Names and values in turn, as the caller gets them; names are lower case. */
  readonly headers: string[];
  readonly body: AnswerBody;
  /** How to read the body. */
  readonly format: AnswerFormat;
  readonly upstream: UpstreamFacts | null;
  /** When the upstream's body has ended, failed or been dropped: its place on the route is free. */
  readonly received: Once<void>;
}

/** The answer to a call, on its way from the upstream to the caller. */
export class Answer {
  readonly status: number;
  readonly headers: string[];
  readonly format: AnswerFormat;
  readonly upstream: UpstreamFacts | null;
  readonly received: Once<void>;
  /** When nothing of this answer is left anywhere: delivered or dropped, its row written or given up. */
  readonly settled: Once<Settlement> = new Once();
  #body: AnswerBody;
  #reading: AnswerReading | null = null;

  constructor(parts: AnswerParts) {
    this.status = parts.status;
    this.headers = parts.headers;
    this.format = parts.format;
    this.upstream = parts.upstream;
    this.received = parts.received;
    this.#body = parts.body;
  }

  get body(): AnswerBody {
    return this.#body;
  }

  /** What is read from the body as it passes; null for a body that no stage reads, such as a synthetic stop's. */
  get reading(): AnswerReading | null {
    return this.#reading;
  }

  /** Wraps the body. */
  through(wrap: (body: AnswerBody) => AnswerBody): this {
    this.#body = wrap(this.#body);
    return this;
  }

  /** Sends the body through a reader. */
  readBy(open: (body: AnswerBody) => AnswerReading & AnswerBody): this {
    const reading = open(this.#body);
    this.#reading = reading;
    this.#body = reading;
    return this;
  }

  /** Called once, when the body has been consumed to its end. */
  settle(settlement: Settlement): void {
    this.settled.happen(settlement);
  }
}

/** Reads an answer's body as it passes. */
export interface AnswerReading {
  /** Bytes received from the upstream. */
  readonly response_bytes: number;
  /** Call it when the body has ended or failed; it returns the same facts each time. */
  facts(): AnswerFacts | Promise<AnswerFacts>;
  /** The answer as the row would have it if it ended now; null if it can only be read once it is whole. */
  textSoFar(): Uint8Array | null;
  /** The event that tells a stream's reader that it ends in an error; null if the format has none. */
  errorEvent(error: GatewayError): Uint8Array | null;
}

/**
 * Decided by the upstream's `content-type` and `content-encoding`. Under another type, the answer to a request for a
 * stream is an event stream if it begins like one.
 */
export type AnswerFormat = "event_stream" | "plain" | "encoded";

export interface UpstreamFacts {
  readonly status: number;
  /** The upstream's own request id, from its `x-request-id`. */
  readonly request_id: string | null;
  readonly replica: string;
  readonly attempts: number;
  readonly content_type: string | null;
  readonly content_encoding: string | null;
  /** The headers named in the route's `record_headers` that the upstream sent. */
  readonly recorded_headers: Readonly<Record<string, string>> | null;
}

/**
 * An answer that the gateway makes itself, whole from the start.
 * @param upstream what is recorded about the upstream that once gave this answer; null: none did
 */
export function createOwnAnswer(
  status: number,
  headers: string[],
  format: AnswerFormat,
  bytes: Uint8Array,
  upstream: UpstreamFacts | null = null,
): Answer {
  const body: AnswerBody = {
    pipe: (sink) => sink.end([bytes]),
    resume: () => {},
    cancel: () => {},
  };
  return new Answer({
    status,
    headers,
    body,
    format,
    upstream,
    received: happened<void>(undefined),
  });
}

/** Whether the answer's body is an event stream, encoded or not. */
export function isEventStream(answer: Answer): boolean {
  if (answer.format !== "encoded") return answer.format === "event_stream";
  if (answer.status >= 400) return false;
  return answer.upstream?.content_type?.toLowerCase().startsWith("text/event-stream") === true;
}
