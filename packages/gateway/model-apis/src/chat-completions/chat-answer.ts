import { choiceCounts } from "../choices/choice-counts.ts";
import { callsOf, type ModelAnswer, textOf } from "../conversation/model-answer.ts";
import type { TokenCounts } from "../facts/token-counts.ts";
import type { JsonObject } from "../json/json-object.ts";

/** The `chat.completion` object. */
export function writeChatAnswer({ id, created, model, choices, usage }: ModelAnswer): JsonObject {
  return {
    id: `chatcmpl-${id}`,
    object: "chat.completion",
    created,
    model,
    choices: choices.map(({ parts, finish }, index) => {
      const reasoning_content = textOf(parts, "reasoning");
      const refusal = textOf(parts, "refusal");
      const isSilent = parts.length > 0 && !parts.some(({ kind }) => kind === "text");
      const tool_calls = callsOf(parts).map(({ call_id, name, arguments: given }, at) => {
        const called = { name, arguments: given };
        return { id: call_id ?? `call_${id}_${index}_${at}`, type: "function", function: called };
      });
      const message = {
        role: "assistant",
        content: isSilent ? null : textOf(parts, "text"),
        refusal: refusal === "" ? null : refusal,
        annotations: [],
        ...(reasoning_content === "" ? {} : { reasoning_content }),
        ...(tool_calls.length === 0 ? {} : { tool_calls }),
      };
      return { index, message, logprobs: null, finish_reason: finish };
    }),
    usage: chatUsage(usage),
  };
}

export function chatUsage(counts: TokenCounts): JsonObject {
  const { cached_tokens, reasoning_tokens } = counts;
  return {
    ...choiceCounts(counts),
    prompt_tokens_details: { cached_tokens: cached_tokens ?? 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning_tokens ?? 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
