import { type ChatRequest, NotSupportedByEngine } from "../chat.ts";
import { chatReader } from "../chat-reader.ts";
import { type JsonObject, listOf, objectsOf } from "../json/json-object.ts";
import { readChatRequest } from "./chat-request.ts";

/** What the gateway decides itself when it asks an engine. */
const own = ["messages", "model", "stream", "stream_options", "tools", "chat_template_kwargs"];
const refused = [
  ...["add_special_tokens", "audio", "chat_template", "continue_final_message", "documents"],
  ...["echo", "function_call", "functions"],
  ...["input_ids", "kv_transfer_params", "prediction", "prompt_logprobs"],
  ...["truncate_prompt_tokens", "web_search_options"],
];
const withoutEffect = [
  ...["metadata", "prompt_cache_key", "prompt_cache_retention", "safety_identifier"],
  ...["service_tier", "store", "user", "verbosity"],
  // An answer has no member for them; without its reasoning, an engine leaves out the ids as well.
  ...["include_reasoning", "return_meta_info", "return_prompt_text", "return_prompt_token_ids"],
  "return_token_ids",
];
const notForwarded: ReadonlySet<string> = new Set([...own, ...withoutEffect]);

const read = chatReader(readChatRequest, {
  refused,
  withoutEffect,
  variables: ({ reasoning_effort }) =>
    typeof reasoning_effort === "string" ? { reasoning_effort } : {},
  isExpressed: (name) => !name.startsWith("messages[].") && !name.startsWith("stream_options."),
  // Sampling parameters that OpenAI does not have are the engine's to judge.
  members: ({ tool_choice, ...request }, { tools }) => ({
    ...Object.fromEntries(
      Object.entries(request).filter(([name, value]) => !notForwarded.has(name) && value !== null),
    ),
    ...(tools.length === 0 || tool_choice == null ? {} : { tool_choice }),
  }),
  toolChoice: "tool_choice",
  tools: ({ tools }) => objectsOf(tools),
});

/** @throws NotSupportedByEngine */
export function readChat(request: JsonObject): ChatRequest {
  const { n, modalities, add_generation_prompt } = request;
  if (typeof n === "number" && n > 1) throw new NotSupportedByEngine("n", "several choices");
  if (add_generation_prompt === false) throw new NotSupportedByEngine("add_generation_prompt");
  if (listOf(modalities).includes("audio")) throw new NotSupportedByEngine("modalities", "audio");
  return read(request);
}
