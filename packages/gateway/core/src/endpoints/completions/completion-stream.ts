import type { JsonObject } from "../../json/json-object.ts";
import { writeChoiceStream } from "../choice-stream.ts";

/**
 * Streams a completion that was recorded whole: each choice in one chunk, and its finish reason in another.
 */
export const writeCompletionStream = (answer: JsonObject): string =>
  writeChoiceStream(answer, "text_completion", chunksOf);

const chunksOf = ({ index: _index, finish_reason, ...choice }: JsonObject): JsonObject[] => [
  { ...choice, finish_reason: null },
  { text: "", logprobs: null, finish_reason: finish_reason ?? null },
];
