import type { ApiError } from "../api-error.ts";
import type { AnswerFacts } from "../facts/answer-facts.ts";

/**
 * Reads an upstream's event stream while it is relayed: which bytes may be passed on, whether the answer is
 * whole, and what it says.
 */
export interface StreamReader {
  /**
   * Takes the upstream's next bytes and returns those that may go to the caller now. From the terminal event's
   * first byte on, none may.
   */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** Everything that was withheld: the terminal event and what came after it. */
  tail(): readonly Uint8Array[];
  /** The upstream's body has ended cleanly. A last event without its blank line counts. */
  end(): void;
  /** The terminal event (in a chat stream, its line) has been read. Later bytes are added to the tail. */
  readonly terminal: boolean;
  /**
   * The answer is whole and no error came. A chat stream is complete once every choice seen has its
   * `finish_reason`, or at `[DONE]`; a responses stream at `response.completed`, `.incomplete` or `.failed`.
   */
  readonly complete: boolean;
  /** The message of an error that came inside the stream. */
  readonly error: string | null;
  /** The bytes passed on so far end between two events. */
  readonly betweenEvents: boolean;
  /** The event that tells the caller that the answer will not be complete. */
  errorEvent(error: ApiError, request_id: string): string;
  /** What is known so far. Every call writes out the whole text. */
  facts(): AnswerFacts;
}

export type OpenStream = (options: StreamReaderOptions) => StreamReader;

export interface StreamReaderOptions {
  /** Whether the answer's text is kept. */
  readonly assemble: boolean;
  /** Roughly how many bytes of the answer are kept; beyond that it is `truncated`, but still relayed. */
  readonly maxBytes: number;
}

/**
 * An event larger than this (or than `maxBytes`, if that is more) is relayed unread, and the answer is
 * `truncated`. Also the limit on what is kept after a terminal event.
 */
const minEventBytes = 1_048_576;

export function maxEventBytes({ maxBytes }: StreamReaderOptions): number {
  return Math.max(maxBytes, minEventBytes);
}
