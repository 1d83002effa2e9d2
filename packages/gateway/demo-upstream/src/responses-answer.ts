import { callId, type Exchange, firstCompletion } from "./exchange.ts";
import { isJsonObject, type JsonObject } from "./json-object.ts";
import { tokenizePrompt, tokenLogprob } from "./tokens.ts";

/** The service's answers for members that the request omits or sets to null. */
const defaults: JsonObject = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  safety_identifier: null,
  service_tier: "default",
  store: false,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
  user: null,
};

/** The finished response object. */
export function writeResponse(exchange: Exchange): JsonObject {
  const { tokens, finish } = firstCompletion(exchange);
  const incomplete = finish === "length";
  const inputTokens = tokenizePrompt(exchange.prompt).length;
  return {
    ...responseHead(exchange),
    status: incomplete ? "incomplete" : "completed",
    completed_at: incomplete ? null : exchange.created,
    incomplete_details: incomplete ? { reason: "max_output_tokens" } : null,
    output: [writeOutputItem(exchange, incomplete ? "incomplete" : "completed")],
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: tokens.length,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + tokens.length,
    },
  };
}

/** The response object before there is any output. */
export function responseHead({ body, prompt, hash, created }: Exchange): JsonObject {
  const echo = Object.entries(defaults).map(([name, value]) => [name, body[name] ?? value]);
  const reasoning = isJsonObject(body.reasoning) ? body.reasoning : {};
  const text = isJsonObject(body.text) ? body.text : {};
  return {
    id: `resp_${hash}`,
    object: "response",
    created_at: created,
    status: "in_progress",
    completed_at: null,
    error: null,
    incomplete_details: null,
    model: prompt.model,
    output: [],
    usage: null,
    ...Object.fromEntries(echo),
    reasoning: { effort: null, summary: null, ...reasoning },
    text: { format: { type: "text" }, verbosity: "medium", ...text },
  };
}

type ItemStatus = "in_progress" | "completed" | "incomplete";

/** The output's only item; without its content while it is in progress. */
export function writeOutputItem(exchange: Exchange, status: ItemStatus): JsonObject {
  const { tokens, tool } = firstCompletion(exchange);
  const open = status === "in_progress";
  const id = outputItemId(exchange);
  if (tool === null) {
    const content = open ? [] : [writeTextPart(exchange, tokens)];
    return { id, type: "message", status, role: "assistant", content };
  }
  const given = open ? "" : tokens.join("");
  return {
    id,
    type: "function_call",
    status,
    arguments: given,
    call_id: callId(exchange, 0),
    name: tool,
  };
}

export function outputItemId(exchange: Exchange): string {
  return `${firstCompletion(exchange).tool === null ? "msg" : "fc"}_${exchange.hash}`;
}

export function writeTextPart(exchange: Exchange, tokens: readonly string[]): JsonObject {
  const text = tokens.join("");
  return { type: "output_text", text, annotations: [], logprobs: textLogprobs(exchange, tokens) };
}

export function textLogprobs(
  { prompt }: Exchange,
  tokens: readonly string[],
): readonly JsonObject[] {
  const top = prompt.topLogprobs;
  return top === null ? [] : tokens.map((token) => tokenLogprob(token, top));
}
