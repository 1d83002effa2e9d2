import type { RouteConfig } from "@proj/gateway-protocol";
import { objectOf, parsedObject } from "@proj/model-apis/json";
import { isTokenId } from "@proj/model-apis/tokens";
import { Agent, request } from "undici";
import { GatewayError } from "../errors/gateway-error.ts";
import { type ChatPrompt, cannotRender, wireMessage } from "../prompts/index.ts";

/** The ids of a million tokens are a tenth of this. */
const dispatcher = new Agent({ maxResponseSize: 64 * 1024 * 1024 });
/** An engine renders in milliseconds. */
const renderMs = 30_000;

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
    post(url, JSON.stringify(body), route, signal);
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

/**
 * Null: the engine has no such endpoint.
 * @throws GatewayError not_supported_by_engine, upstream_unreachable
 */
async function post(
  url: string | URL,
  body: string,
  { api_key }: RouteConfig,
  signal?: AbortSignal,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(renderMs);
  const headers = {
    "content-type": "application/json",
    ...(api_key === null ? {} : { authorization: `Bearer ${api_key}` }),
  };
  let refusal: unknown;
  try {
    const answer = await request(url, {
      dispatcher,
      method: "POST",
      headers,
      body,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    if (answer.statusCode === 200) {
      const rendered = parsedObject(await answer.body.text());
      // A page of a proxy, for example.
      return Object.keys(rendered).length === 0 ? null : rendered;
    }
    if (answer.statusCode !== 400) {
      await answer.body.dump();
      return null;
    }
    refusal = await answer.body.json().catch(() => null);
  } catch (cause) {
    throw new GatewayError(
      "upstream_unreachable",
      "The engine cannot be asked to render a prompt.",
      {
        cause,
      },
    );
  }
  const { error, message } = objectOf(refusal);
  throw cannotRender(String(objectOf(error).message ?? message ?? "it says no reason"));
}
