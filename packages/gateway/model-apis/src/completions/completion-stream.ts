import { writeChoiceStream } from "../choices/choice-stream.ts";
import type { JsonObject } from "../json/json-object.ts";

/**
 * Streams a completion that was recorded whole: each choice in one chunk, and its finish reason in another.
 */
export const writeCompletionStream = (answer: JsonObject): string =>
  writeChoiceStream(answer, "text_completion", chunksOf);

const chunksOf = ({ index: _index, finish_reason, ...choice }: JsonObject): JsonObject[] => [
  { ...choice, finish_reason: null },
  { text: "", logprobs: null, finish_reason: finish_reason ?? null },
];
