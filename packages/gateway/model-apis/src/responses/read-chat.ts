import { type ChatRequest, NotSupportedByEngine } from "../chat.ts";
import { chatMembers, chatReader, chatTools } from "../chat-reader.ts";
import { isJsonObject, type JsonObject, listOf, objectOf } from "../json/json-object.ts";
import { withoutNamespaces } from "./namespaces.ts";
import { readResponseRequest, withLogprobs } from "./response-request.ts";

const withoutEffect = [
  ...["client_metadata", "include", "max_tool_calls", "metadata", "prompt_cache_key"],
  ...["prompt_cache_retention", "safety_identifier", "service_tier", "store", "truncation", "user"],
];

const read = chatReader(readResponseRequest, {
  refused: ["background", "conversation", "previous_response_id", "prompt", "top_logprobs"],
  withoutEffect,
  variables: ({ reasoning }) => {
    const { effort } = objectOf(reasoning);
    return typeof effort === "string" ? { reasoning_effort: effort } : {};
  },
  isExpressed: () => false,
  members: (_request, conversation) => chatMembers(conversation),
  tools: chatTools,
  toolChoice: "tool_choice",
});

/**
 * Reads a request of OpenAI's Responses API.
 * @throws NotSupportedByEngine
 */
export function readChat(given: JsonObject): ChatRequest {
  const request = withoutNamespaces(given);
  const { input, include } = request;
  if (listOf(include).includes(withLogprobs))
    throw new NotSupportedByEngine("include", `'${withLogprobs}'`);
  return read({ ...request, input: Array.isArray(input) ? input.map(withThoughts) : input });
}

/** Agents that keep nothing at the server send reasoning back as `encrypted_content`: here it is its text. */
function withThoughts(item: unknown): unknown {
  if (!isJsonObject(item) || item.type !== "reasoning") return item;
  const { encrypted_content, ...open } = item;
  if (listOf(open.content).length > 0 || typeof encrypted_content !== "string") return open;
  const text = Buffer.from(encrypted_content, "base64").toString();
  return { ...open, content: [{ type: "reasoning_text", text }] };
}
