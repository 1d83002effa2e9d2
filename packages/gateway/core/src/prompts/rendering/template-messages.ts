import type { ChatMessage } from "@proj/model-apis";

/** A message as templates get it from vLLM. */
export function templateMessage(message: ChatMessage, takesParts: boolean): object {
  const { role, content, reasoning_content, tool_calls } = message;
  return {
    ...message,
    // What a tool returns is a text for every template.
    ...(takesParts && role !== "tool" && typeof content === "string"
      ? { content: [{ type: "text", text: content }] }
      : {}),
    ...(reasoning_content === undefined ? {} : { reasoning: reasoning_content }),
    ...(tool_calls === undefined ? {} : { tool_calls: tool_calls.map(withObject) }),
  };
}

/** Templates list a call's arguments; those that a model wrote as something else than an object are left out. */
function withObject(call: NonNullable<ChatMessage["tool_calls"]>[number]): object {
  const { function: called } = call;
  return typeof called.arguments === "string"
    ? { ...call, function: { ...called, arguments: {} } }
    : call;
}
