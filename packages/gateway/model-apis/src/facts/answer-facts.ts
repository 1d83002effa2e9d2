import type { TokenCounts } from "./token-counts.ts";

/** What a step's row and the metrics need from an answer. */
export interface AnswerFacts extends TokenCounts {
  /** Whether the answer was whole: a stream reached its end, or all bytes of plain JSON came. */
  readonly complete: boolean;
  /** The message of an error that came inside a stream. */
  readonly error: string | null;
  /** Why a whole response with status 200 is still not an answer; null if it is one. */
  readonly no_answer: string | null;
  /** The response says that the answer will be made later. */
  readonly is_pending: boolean;
  /** The id under which the upstream can be asked for it again; null if it cannot. */
  readonly object_id: string | null;
  readonly finish_reason: string | null;
  /** The upstream's name for the model that answered; null if it does not say. */
  readonly response_model: string | null;
  /** `text` lacks something: more than `max_capture_bytes` came, or an event is `unreadable`. */
  readonly truncated: boolean;
  /** What is wrong with the first event of a stream that could not be read; null if none is. */
  readonly unreadable: string | null;
  /**
   * The answer as one JSON text in UTF-8: a plain one as it came, a stream assembled. Null if nothing came or
   * nothing was kept.
   */
  readonly text: Uint8Array | null;
  /** `text` contains a key that may need redaction. */
  readonly sensitive: boolean;
}
