import type { ModelAnswer } from "../conversation/model-answer.ts";
import type { UtterancePart } from "../conversation/utterance.ts";
import type { TokenCounts } from "../facts/token-counts.ts";
import type { JsonObject } from "../json/json-object.ts";
import { echoRequest } from "./echo-request.ts";

/** Why an answer is not whole. */
const incomplete = { length: "max_output_tokens", content_filter: "content_filter" } as const;

/**
 * The `response` object of the answer's first choice.
 * @param request the request's members, some of which the object repeats
 */
export function writeResponseAnswer(answer: ModelAnswer, request: JsonObject): JsonObject {
  const { id, created, model, usage } = answer;
  const [{ finish }] = answer.choices;
  const reason = finish === "length" || finish === "content_filter" ? incomplete[finish] : null;
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: created,
    status: reason === null ? "completed" : "incomplete",
    completed_at: reason === null ? created : null,
    error: null,
    incomplete_details: reason === null ? null : { reason },
    model,
    output: writeItems(answer, reason === null ? "completed" : "incomplete"),
    usage: responseUsage(usage),
    ...echoRequest(request),
  };
}

/** Compactions never stream: the history is one message with the answer's text. */
export function writeCompaction(answer: ModelAnswer): JsonObject {
  return {
    id: `resp_${answer.id}`,
    object: "response.compaction",
    created_at: answer.created,
    output: writeItems(answer, "completed"),
    usage: responseUsage(answer.usage),
  };
}

/** Texts and refusals that follow one another share a message. */
function writeItems({ id, choices }: ModelAnswer, status: string): JsonObject[] {
  const items: JsonObject[] = [];
  let content: JsonObject[] | null = null;
  const idOf = (prefix: string): string => `${prefix}_${id}${items.length || ""}`;
  for (const part of choices[0].parts) {
    const written = writeContent(part);
    if (written === null) {
      content = null;
      const item = writeItem(part, status, idOf);
      if (item !== null) items.push(item);
    } else if (content === null) {
      content = [written];
      items.push({ id: idOf("msg"), type: "message", status, role: "assistant", content });
    } else content.push(written);
  }
  return items;
}

function writeContent(part: UtterancePart): JsonObject | null {
  if (part.kind === "refusal") return { type: "refusal", refusal: part.text };
  if (part.kind !== "text") return null;
  return { type: "output_text", text: part.text, annotations: [], logprobs: [] };
}

function writeItem(
  part: UtterancePart,
  status: string,
  idOf: (prefix: string) => string,
): JsonObject | null {
  if (part.kind === "reasoning") {
    const summary = [{ type: "summary_text", text: part.text }];
    return { id: idOf("rs"), type: "reasoning", summary };
  }
  if (part.kind !== "tool_call") return null;
  const { call_id, name, arguments: given } = part;
  return {
    id: idOf("fc"),
    type: "function_call",
    status,
    call_id: call_id ?? idOf("call"),
    name,
    arguments: given,
  };
}

function responseUsage(counts: TokenCounts): JsonObject {
  const prompt = counts.prompt_tokens ?? 0;
  const completion = counts.completion_tokens ?? 0;
  return {
    input_tokens: prompt,
    input_tokens_details: {
      cached_tokens: counts.cached_tokens ?? 0,
      cache_write_tokens: counts.cache_write_tokens ?? 0,
    },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: counts.reasoning_tokens ?? 0 },
    total_tokens: prompt + completion,
  };
}
