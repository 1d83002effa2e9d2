import { type ChatRequest, type RequestBody, readRequestBody } from "@proj/model-apis";
import { objectOf } from "@proj/model-apis/json";
import { type PromptIds, promptText } from "../continuity/turn.ts";

export type EngineName = "vllm" | "sglang";

export interface EngineRequest {
  readonly body: RequestBody;
  /** The prompt's ids in it, without brackets; null: the engine renders the messages. */
  readonly ids: Buffer | null;
}

/**
 * The body of a chat completions request that takes the prompt as ids, and asks for the ids and log probabilities of
 * what is sampled. The engine's template and tokenizer are skipped; its parsers of tools and reasoning are not.
 * @param model as the engine calls it
 * @param prompt null: the engine renders the messages
 */
export function engineRequest(
  engine: EngineName,
  model: string,
  { messages, tools, variables, members }: ChatRequest,
  prompt: PromptIds | null,
): EngineRequest {
  const asked = {
    ...members,
    ...(tools === null ? {} : { tools }),
    ...(Object.keys(variables).length === 0 ? {} : { chat_template_kwargs: variables }),
    model,
    // Not read beside a prompt's ids.
    messages: prompt === null ? messages.map(wireMessage) : [{ role: "user", content: "" }],
    stream: true,
    stream_options: { include_usage: true },
    logprobs: true,
    ...reported[engine],
  };
  const text = JSON.stringify(asked);
  const body = readRequestBody(Buffer.from(text), null);
  if (prompt === null) return { body, ids: null };
  const [opening, closing] =
    engine === "vllm"
      ? ['"kv_transfer_params":{"prompt_token_ids":[', "]}"]
      : ['"input_ids":[', "]"];
  // Behind all that was read of the body, so that nothing has to look for a member among the ids.
  const head = Buffer.from(`${text.slice(0, -1)},${opening}`);
  const ids = Buffer.from(promptText(prompt), "latin1");
  const bytes = Buffer.concat([head, ids, Buffer.from(`${closing}}`)]);
  const start = head.length;
  return { body: { ...body, bytes }, ids: bytes.subarray(start, start + ids.length) };
}

const reported = {
  vllm: { return_token_ids: true },
  // Its `return_token_ids` is refused in streams.
  sglang: { return_input_ids: true, return_output_ids: true },
} as const;

/**
 * A request's tools as the engine itself gives them to the chat template, so that a prompt rendered here is the
 * engine's own: vLLM writes a description that is missing as null.
 */
export function engineTools(engine: EngineName, tools: ChatRequest["tools"]): ChatRequest["tools"] {
  if (engine !== "vllm" || tools === null) return tools;
  return tools.map(({ function: called, ...tool }) => {
    const { name, description = null, parameters, ...rest } = objectOf(called);
    return { ...tool, function: { name, description, parameters, ...rest } };
  });
}

/** A message in OpenAI's form, which has a call's arguments as text. */
export function wireMessage(message: ChatRequest["messages"][number]): object {
  const { tool_calls } = message;
  if (tool_calls === undefined) return message;
  const calls = tool_calls.map(({ function: called, ...call }) => {
    const { name, arguments: given } = called;
    const text = typeof given === "string" ? given : JSON.stringify(given);
    return { ...call, function: { name, arguments: text } };
  });
  return { ...message, tool_calls: calls };
}
