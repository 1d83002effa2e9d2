import { type ChatRequest, NotSupportedByEngine } from "../chat.ts";
import { chatReader } from "../chat-reader.ts";
import { type JsonObject, listOf, objectsOf } from "../json/json-object.ts";
import { readChatRequest } from "./chat-request.ts";

/** What the gateway decides itself when it asks an engine. */
const own = [
  ...["messages", "model", "stream", "stream_options", "tools", "chat_template_kwargs"],
  "return_token_ids",
];
const refused = [
  ...["add_special_tokens", "audio", "chat_template", "continue_final_message", "documents"],
  ...["echo", "function_call", "functions"],
  ...["input_ids", "kv_transfer_params", "prediction", "web_search_options"],
];
const withoutEffect = [
  ...["metadata", "prompt_cache_key", "prompt_cache_retention", "safety_identifier"],
  ...["service_tier", "store", "user", "verbosity"],
];
const notForwarded: ReadonlySet<string> = new Set([...own, ...withoutEffect]);

const read = chatReader(readChatRequest, {
  refused,
  withoutEffect,
  variables: ({ reasoning_effort }) =>
    typeof reasoning_effort === "string" ? { reasoning_effort } : {},
  isExpressed: (name) => !name.startsWith("messages[].") && !name.startsWith("stream_options."),
  // Sampling parameters that OpenAI does not have are the engine's to judge.
  members: (request) =>
    Object.fromEntries(
      Object.entries(request).filter(([name, value]) => !notForwarded.has(name) && value !== null),
    ),
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
