import type { RouteConfig } from "@proj/gateway-protocol";
import type { ChatRequest } from "@proj/model-apis";
import { listOf, objectOf } from "@proj/model-apis/json";
import { GatewayError } from "../errors/gateway-error.ts";
import type { WholeCall } from "./given-calls.ts";
import { postEngine } from "./post-engine.ts";

/**
 * Asks vLLM which tool calls its parser finds in the whole of an answer.
 * @throws GatewayError upstream_unreachable; upstream_invalid_response: it does not parse for others
 */
export async function askParse(
  route: RouteConfig,
  model: string,
  { tools, variables }: ChatRequest,
  prompt_token_ids: ArrayLike<number>,
  token_ids: readonly number[],
  signal: AbortSignal,
): Promise<readonly WholeCall[]> {
  const name = route.upstream_model ?? model;
  const prompt = Array.from(prompt_token_ids);
  const body = {
    model: name,
    generate_response: {
      prompt_token_ids: prompt,
      choices: [{ index: 0, token_ids, finish_reason: "stop" }],
    },
    prompt_token_ids: prompt,
    chat_request: {
      model: name,
      messages: [{ role: "user", content: "" }],
      tools,
      chat_template_kwargs: variables,
    },
  };
  const url = `${route.base_urls[0] ?? ""}/chat/completions/derender`;
  const { status, answer } = await postEngine(
    url,
    JSON.stringify(body),
    route,
    "parse an answer",
    signal,
  );
  if (status !== 200)
    throw new GatewayError(
      "upstream_invalid_response",
      `The engine was paused within a tool call, and cannot be asked to parse it (/chat/completions/derender answers ${status}). Start vLLM with --enable-scale-out.`,
    );
  const { message } = objectOf(listOf(answer.choices)[0]);
  return listOf(objectOf(message).tool_calls).map((call) => {
    const { name, arguments: given } = objectOf(objectOf(call).function);
    return { name: String(name), arguments: String(given) };
  });
}
