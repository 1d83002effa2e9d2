import type { RouteConfig } from "@proj/gateway-protocol";
import { objectOf } from "@proj/model-apis/json";
import { isTokenId } from "@proj/model-apis/tokens";
import type { UpstreamFacts } from "../call/answer.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { type ChatPrompt, cannotRender, wireMessage } from "../prompts/index.ts";
import { ContextOverflow, overflowIn } from "./context-overflow.ts";
import { postEngine } from "./post-engine.ts";

/**
 * Asks vLLM for the prompt ids of a conversation: its render endpoint where it is enabled, else `/tokenize`.
 * @throws GatewayError not_supported_by_engine: its template refuses the conversation; upstream_unreachable,
 * upstream_invalid_response
 */
export async function askRender(
  route: RouteConfig,
  model: string,
  { messages, tools, variables }: ChatPrompt,
  signal?: AbortSignal,
): Promise<Int32Array> {
  const base = route.base_urls[0] ?? "";
  const body = {
    model: route.upstream_model ?? model,
    messages: messages.map(wireMessage),
    ...(tools === null ? {} : { tools }),
    ...(Object.keys(variables).length === 0 ? {} : { chat_template_kwargs: variables }),
    add_generation_prompt: true,
  };
  const ask = (url: string | URL): Promise<unknown> =>
    post(url, JSON.stringify(body, wellFormed), route, signal);
  const rendered = await ask(`${base}/chat/completions/render`);
  const { token_ids, tokens } = objectOf(rendered ?? (await ask(new URL("/tokenize", base))));
  const ids = token_ids ?? tokens;
  if (Array.isArray(ids) && ids.every(isTokenId)) return Int32Array.from(ids);
  throw new GatewayError(
    "upstream_invalid_response",
    `The engine of route '${model}' does not render prompts. Give the route a 'tokenizer'.`,
    { retryable: false },
  );
}

/** Half a surrogate pair is nothing that an engine encodes. */
const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === "string" ? value.toWellFormed() : value;

/**
 * Null: the engine has no such endpoint.
 * @throws GatewayError not_supported_by_engine, upstream_unreachable
 */
async function post(
  url: string | URL,
  body: string,
  route: RouteConfig,
  signal?: AbortSignal,
): Promise<unknown> {
  const { status, answer } = await postEngine(url, body, route, "render a prompt", signal);
  const { error, message } = answer;
  if (status === 400) {
    const why = String(objectOf(error).message ?? message ?? "it says no reason");
    const overflow = overflowIn(why, 0);
    throw overflow === null ? cannotRender(why) : new ContextOverflow(overflow, refusal);
  }
  // A page of a proxy, for example, has no members.
  return status === 200 && Object.keys(answer).length > 0 ? answer : null;
}

/** What an engine that renders no such prompt has answered, for the row. */
const refusal: UpstreamFacts = {
  ...{ status: 400, request_id: null, replica: "engine", attempts: 1 },
  ...{ content_type: "application/json", content_encoding: null, recorded_headers: null },
};
