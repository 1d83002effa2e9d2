import { writeChoiceStream } from "../choices/choice-stream.ts";
import type { StreamOptions } from "../conversation/model-answer.ts";
import type { JsonObject } from "../json/json-object.ts";

/** The events that a completion is streamed as: each choice in one chunk, and its finish reason in another. */
export const writeCompletionStream = (answer: JsonObject, options: StreamOptions = {}): string[] =>
  writeChoiceStream(answer, options, "text_completion", chunksOf);

const chunksOf = ({ index: _index, finish_reason, ...choice }: JsonObject): JsonObject[] => [
  { ...choice, finish_reason: null },
  { text: "", logprobs: null, finish_reason: finish_reason ?? null },
];
