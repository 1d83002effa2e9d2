import type { TokenCounts } from "./token-counts.ts";

/** What a step's row and the metrics need to know of an answer. */
export interface AnswerFacts extends TokenCounts {
  /** Whether the answer was whole: for a stream, its end was reached; for plain JSON, all bytes came. */
  readonly complete: boolean;
  /** The message of an error that came inside a stream. */
  readonly error: string | null;
  /** Why a whole answer with status 200 holds no answer all the same; null: it does. */
  readonly no_answer: string | null;
  /** It says that the answer will be made later. */
  readonly is_pending: boolean;
  /** By which the upstream can be asked for it again; null: it cannot. */
  readonly object_id: string | null;
  readonly finish_reason: string | null;
  /** The model that answered, by the upstream's name for it; null: it does not say. */
  readonly response_model: string | null;
  /** More than `max_capture_bytes` came; `text` is what was kept. */
  readonly truncated: boolean;
  /** The answer as one JSON text, UTF-8: a plain one as it came, a stream assembled. Null: nothing came or nothing was kept. */
  readonly text: Uint8Array | null;
  /** A key that redaction may concern occurs in `text`. */
  readonly sensitive: boolean;
}
