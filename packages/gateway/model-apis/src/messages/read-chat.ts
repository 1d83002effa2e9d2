import { type ChatRequest, NotSupportedByEngine } from "../chat.ts";
import { chatMembers, chatReader, chatTools } from "../chat-reader.ts";
import { isJsonObject, type JsonObject, objectOf } from "../json/json-object.ts";
import { billingPrefix } from "./billing-block.ts";
import { readMessageRequest } from "./message-request.ts";

const read = chatReader(readMessageRequest, {
  refused: ["mcp_servers", "container"],
  withoutEffect: ["metadata", "service_tier", "context_management", "cache_control"],
  variables: ({ thinking, output_config }) => {
    const { effort } = objectOf(output_config);
    const { type } = objectOf(thinking);
    return {
      ...(typeof effort === "string" ? { reasoning_effort: effort } : {}),
      ...(typeof type === "string" ? { enable_thinking: type !== "disabled" } : {}),
    };
  },
  isExpressed: (name) => name === "thinking",
  members: (_request, conversation) => chatMembers(conversation),
  tools: chatTools,
  toolChoice: "tool_choice",
});

/**
 * Reads a request of Anthropic's API.
 * @throws NotSupportedByEngine
 */
export function readChat(request: JsonObject): ChatRequest {
  const { system, thinking } = request;
  const texts = Array.isArray(system) ? system.filter((block) => !isBilling(block)) : system;
  const { ignored, ...asked } = read({ ...request, system: texts });
  const { type, ...bounds } = objectOf(thinking);
  if (thinking != null && !thinkingTypes.includes(type))
    throw new NotSupportedByEngine("thinking.type", `'${String(type)}'`);
  const names = Object.keys(bounds).map((name) => `thinking.${name}`);
  return { ...asked, ignored: [...ignored, ...names] };
}

const thinkingTypes: readonly unknown[] = ["adaptive", "disabled", "enabled"];

/** Claude Code's billing block changes with every request, and no engine reads it. */
const isBilling = (block: unknown): boolean =>
  isJsonObject(block) && typeof block.text === "string" && block.text.startsWith(billingPrefix);
