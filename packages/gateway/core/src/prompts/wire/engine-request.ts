import type { ChatRequest, RequestBody } from "@proj/model-apis";
import { type PromptIds, promptTexts } from "../continuity/turn.ts";
import type { EngineName } from "./engine-form.ts";

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
  if (prompt === null) return { body: written(model, Buffer.from(text)), ids: null };
  const [opening, closing] =
    engine === "vllm"
      ? ['"kv_transfer_params":{"prompt_token_ids":[', "]}}"]
      : ['"input_ids":[', "]}"];
  const head = Buffer.from(`${text.slice(0, -1)},${opening}`);
  const texts = promptTexts(prompt);
  const length = texts.reduce((sum, ids) => sum + ids.length + 1, -1);
  // Each text is copied once, to its place: a long prompt costs what its bytes cost.
  const bytes = Buffer.allocUnsafe(head.length + length + closing.length);
  let end = head.copy(bytes);
  for (const ids of texts) end += bytes.write(end === head.length ? ids : `,${ids}`, end, "latin1");
  bytes.write(closing, end, "latin1");
  return { body: written(model, bytes), ids: bytes.subarray(head.length, end) };
}

/** Nothing is changed in it on its way, so nobody asks where its members are. */
const written = (model: string, bytes: Buffer): RequestBody => ({
  ...{ bytes, model, stream: true, stream_start: 0, model_start: 0, model_end: 0 },
  ...{ messages_start: 0, messages_end: 0, sensitive: false },
});

const reported = {
  vllm: { return_token_ids: true },
  // Its `return_token_ids` is refused in streams. Releases have the longer names, and builds before them the others.
  sglang: {
    ...{ return_input_ids: true, return_output_ids: true },
    ...{ return_input_ids_in_sglext: true, return_output_ids_in_sglext: true },
  },
} as const;

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
