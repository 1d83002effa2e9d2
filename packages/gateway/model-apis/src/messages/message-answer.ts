import type { FinishReason, ModelAnswer } from "../conversation/model-answer.ts";
import type { UtterancePart } from "../conversation/utterance.ts";
import type { JsonObject } from "../json/json-object.ts";
import { argumentsOf } from "../live-answer.ts";

const stopReasons: Readonly<Record<FinishReason, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
};

/** Anthropic's clients send a thinking block back only with a signature. */
const signature = "unsigned";

/** The `message` object of the answer's first choice. */
export function writeMessageAnswer({ id, model, choices, usage }: ModelAnswer): JsonObject {
  const [{ parts, finish }] = choices;
  const { prompt_tokens, cached_tokens, cache_write_tokens, completion_tokens } = usage;
  const cached = cached_tokens ?? 0;
  const written = cache_write_tokens ?? 0;
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model,
    content: parts.flatMap((part, at) => writeBlock(part, `toolu_${id}_${at}`) ?? []),
    stop_reason: stopReasons[finish],
    stop_sequence: null,
    usage: {
      // The parts of a prompt do not overlap here.
      input_tokens: (prompt_tokens ?? 0) - cached - written,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: cached,
      output_tokens: completion_tokens ?? 0,
    },
  };
}

export function writeBlock(part: UtterancePart, id: string): JsonObject | null {
  switch (part.kind) {
    case "text":
    case "refusal":
      return { type: "text", text: part.text, citations: null };
    case "reasoning":
      return { type: "thinking", thinking: part.text, signature };
    case "tool_call": {
      const input = argumentsOf(part.arguments);
      return { type: "tool_use", id: part.call_id ?? id, name: part.name, input };
    }
    default:
      return null;
  }
}
