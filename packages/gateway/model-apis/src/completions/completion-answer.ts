import { choiceCounts } from "../choices/choice-counts.ts";
import { type ModelAnswer, textOf } from "../conversation/model-answer.ts";
import type { JsonObject } from "../json/json-object.ts";

/** The `text_completion` object. */
export function writeCompletionAnswer(answer: ModelAnswer): JsonObject {
  const { id, created, model, choices, usage } = answer;
  return {
    id: `cmpl-${id}`,
    object: "text_completion",
    created,
    model,
    choices: choices.map(({ parts, finish }, index) => {
      const text = textOf(parts, "text");
      return {
        text,
        index,
        logprobs: null,
        finish_reason: finish === "tool_calls" ? "stop" : finish,
      };
    }),
    usage: choiceCounts(usage),
  };
}
