import type { AnswerFacts } from "@proj/model-apis";
import { noTokens } from "@proj/model-apis";

/**
 * The facts of an answer that arrived but cannot be read: its encoding is unknown or broken, or its text is
 * longer than a string can be. The step still gets its row.
 */
export function unreadableFacts(complete: boolean, error: unknown): AnswerFacts {
  const message = error instanceof Error ? error.message : String(error);
  return {
    complete,
    error: complete ? null : `the answer cannot be read: ${message}`,
    // An answer that is merely too large to read may be valid.
    no_answer: error instanceof RangeError ? null : `the answer cannot be read: ${message}`,
    is_pending: false,
    object_id: null,
    finish_reason: null,
    response_model: null,
    ...noTokens,
    truncated: true,
    unreadable: null,
    text: null,
    sensitive: false,
  };
}
