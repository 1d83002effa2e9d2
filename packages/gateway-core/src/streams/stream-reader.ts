import type { AnswerFacts } from "../bodies/answer-facts.ts";
import type { GatewayError } from "../errors/gateway-error.ts";

/** Reads an event stream of an upstream while it is relayed: what may go on, whether it is whole, what it says. */
export interface StreamReader {
  /**
   * Takes the next bytes as they came and returns those that may go on to the caller now. From the
   * terminal event's first byte on, nothing does.
   */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** All that was withheld: the terminal event and what came behind it. */
  tail(): readonly Uint8Array[];
  /** The upstream's body has ended cleanly; a last event without its blank line counts. */
  end(): void;
  /** The terminal event has been read (of a chat stream: its line). Bytes that come after it join the tail. */
  readonly terminal: boolean;
  /**
   * The answer is whole, and no error came. A chat stream is once every choice that was seen has its
   * `finish_reason`; without a choice, at `[DONE]`. A responses stream is at `response.completed`,
   * `.incomplete` or `.failed`.
   */
  readonly complete: boolean;
  /** The message of an error that came inside the stream. */
  readonly error: string | null;
  /** What has gone on so far ends between two events. */
  readonly betweenEvents: boolean;
  /** The event that tells the caller, in place of what is missing, that the answer will not be whole. */
  errorEvent(error: GatewayError, request_id: string): string;
  /** What is known so far. Writes the whole text again each time. */
  facts(): AnswerFacts;
}

export type OpenStream = (options: StreamReaderOptions) => StreamReader;

export interface StreamReaderOptions {
  /** Whether the answer's text is kept. */
  readonly assemble: boolean;
  /** How many bytes of the answer are kept, about; beyond, it is `truncated` and relayed all the same. */
  readonly maxBytes: number;
}

/**
 * A larger event than this (or than `maxBytes`, where that is more) is relayed unread: the answer is
 * `truncated`. Also what is kept behind a terminal event.
 */
const minEventBytes = 1_048_576;

export function maxEventBytes({ maxBytes }: StreamReaderOptions): number {
  return Math.max(maxBytes, minEventBytes);
}
