import type { FinishReason, ModelAnswer } from "../conversation/model-answer.ts";
import type { UtterancePart } from "../conversation/utterance.ts";
import type { JsonObject } from "../json/json-object.ts";
import { argumentsOf } from "../live-answer.ts";
import { writeUsage } from "./content-usage.ts";

export const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: "STOP",
  length: "MAX_TOKENS",
  tool_calls: "STOP",
  content_filter: "SAFETY",
};

/** The `GenerateContentResponse`. */
export function writeContentAnswer({ id, model, choices, usage }: ModelAnswer): JsonObject {
  return {
    candidates: choices.map(({ parts, finish }, index) => ({
      content: {
        parts: parts.flatMap((part, at) => writePart(part, `call_${id}_${index}_${at}`) ?? []),
        role: "model",
      },
      finishReason: finishReasons[finish],
      index,
    })),
    usageMetadata: writeUsage(usage),
    modelVersion: model,
    responseId: id,
  };
}

export function writePart(part: UtterancePart, id: string): JsonObject | null {
  switch (part.kind) {
    case "text":
    case "refusal":
      return { text: part.text };
    case "reasoning":
      return { text: part.text, thought: true };
    case "tool_call": {
      const { call_id, name } = part;
      return { functionCall: { id: call_id ?? id, name, args: argumentsOf(part.arguments) } };
    }
    default:
      return null;
  }
}
