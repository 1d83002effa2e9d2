import type { AnswerFacts } from "../bodies/answer-facts.ts";
import type { CallError, GatewayError } from "../errors/gateway-error.ts";

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

/** The parts of an answer that its maker decides. */
export interface AnswerParts {
  readonly status: number;
  /** Names and values in turn, as the caller gets them; names in lower case. */
  readonly headers: string[];
  readonly body: AnswerBody;
  /** How the upstream's answer is to be understood; `none` for what the gateway made itself. */
  readonly format: AnswerFormat;
  readonly upstream: UpstreamFacts | null;
  /** The upstream's body has ended, failed or been dropped: its place on the route is free. */
  readonly received: Promise<void>;
}

/** The answer to a call, on its way from the upstream to the caller. */
export class Answer {
  readonly status: number;
  readonly headers: string[];
  readonly format: AnswerFormat;
  readonly upstream: UpstreamFacts | null;
  readonly received: Promise<void>;
  #body: AnswerBody;
  #reading: AnswerReading | null = null;
  readonly #settlement: PromiseWithResolvers<Settlement> = Promise.withResolvers();

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

  /** What is read of the body on its way; null for what the gateway made itself. */
  get reading(): AnswerReading | null {
    return this.#reading;
  }

  /** Nothing of this answer is left anywhere: delivered or dropped, its row written or given up. Never rejects. */
  get settled(): Promise<Settlement> {
    return this.#settlement.promise;
  }

  /** Sends the body through what wraps it. */
  through(wrap: (body: AnswerBody) => AnswerBody): this {
    this.#body = wrap(this.#body);
    return this;
  }

  /** Sends the body through its reader. */
  readBy(open: (body: AnswerBody) => AnswerReading & AnswerBody): this {
    const reading = open(this.#body);
    this.#reading = reading;
    this.#body = reading;
    return this;
  }

  /** Called once, when the body has been taken to its end. */
  settle(settlement: Settlement): void {
    this.#settlement.resolve(settlement);
  }
}

/** Reads an answer's body while it passes. */
export interface AnswerReading {
  /** Bytes that have come from the upstream. */
  readonly response_bytes: number;
  /** To be asked when the body has ended or failed; the same facts each time. */
  facts(): AnswerFacts | Promise<AnswerFacts>;
  /** The answer as the row would have it if it ended now; null where it is read only once it is whole. */
  textSoFar(): Uint8Array | null;
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

/**
 * An answer that the gateway makes itself, whole from the start.
 * @param upstream what is known of the upstream that gave it once; null: none did
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
    received: Promise.resolve(),
  });
}

/** Whether the answer's body is an event stream, encoded or not. */
export function isEventStream(answer: Answer): boolean {
  if (answer.format !== "encoded") return answer.format === "event_stream";
  if (answer.status >= 400) return false;
  return answer.upstream?.content_type?.toLowerCase().startsWith("text/event-stream") === true;
}
