import type { ModelAnswer } from "../conversation/model-answer.ts";
import type { TokenCounts } from "../facts/token-counts.ts";
import type { JsonObject } from "../json/json-object.ts";
import { echoRequest } from "./echo-request.ts";
import { itemWriter, writeContent } from "./response-items.ts";

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
    output: writeItems(answer, request, reason === null ? "completed" : "incomplete"),
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
    output: writeItems(answer, {}, "completed"),
    usage: responseUsage(answer.usage),
  };
}

/** Texts and refusals that follow one another share a message. */
function writeItems(
  { id, choices }: ModelAnswer,
  request: JsonObject,
  status: string,
): JsonObject[] {
  const write = itemWriter(id, request);
  const items: JsonObject[] = [];
  for (const part of choices[0].parts) {
    const said = writeContent(part);
    const content = said && items.at(-1)?.content;
    const isShared = said !== null && items.at(-1)?.type === "message" && Array.isArray(content);
    const item = isShared ? null : write(part, items.length, status);
    if (isShared) content.push(said);
    if (item !== null) items.push(item);
  }
  return items;
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
