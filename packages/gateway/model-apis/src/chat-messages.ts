import type { ChatMessage, ChatPart, ChatToolCall } from "./chat.ts";
import { callsOf } from "./conversation/model-answer.ts";
import type { Utterance, UtterancePart } from "./conversation/utterance.ts";
import { isJsonObject, type JsonObject } from "./json/json-object.ts";

/** Tool results aside, the roles of a conversation as engines call them. */
export const chatRoles: Readonly<Record<string, ChatMessage["role"]>> = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "assistant",
};

/** The messages of a conversation as engines take them; what they cannot take is left out. */
export function chatMessages(messages: readonly Utterance[]): readonly ChatMessage[] {
  return messages.flatMap(({ role, parts }): ChatMessage[] => {
    if (role === "tool") return parts.flatMap(resultMessage);
    const reasoning_content = parts
      .flatMap((part) => (part.kind === "reasoning" ? [part.text] : []))
      .join("\n");
    const tool_calls = callsOf(parts).map(chatCall);
    return [
      {
        role: chatRoles[role] ?? "user",
        content: chatContent(parts),
        ...(reasoning_content === "" ? {} : { reasoning_content }),
        ...(tool_calls.length === 0 ? {} : { tool_calls }),
      },
    ];
  });
}

function resultMessage(part: UtterancePart): ChatMessage[] {
  if (part.kind !== "tool_result") return [];
  return [{ role: "tool", tool_call_id: part.call_id ?? "", content: chatContent(part.parts) }];
}

const chatCall = (call: ReturnType<typeof callsOf>[number]): ChatToolCall => {
  const { call_id, name, arguments: given } = call;
  return {
    id: call_id ?? "",
    type: "function",
    function: { name, arguments: chatArguments(given) },
  };
};

/** Texts of one message as engines join them. */
function chatContent(parts: readonly UtterancePart[]): string | readonly ChatPart[] {
  const said = parts.flatMap(chatPart);
  if (said.some(({ type }) => type === "image_url")) return said;
  return said.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function chatPart(part: UtterancePart): ChatPart[] {
  switch (part.kind) {
    case "text":
    case "refusal":
      return [{ type: "text", text: part.text }];
    case "image":
      return [{ type: "image_url", image_url: { url: part.url } }];
    default:
      return [];
  }
}

/** A call's arguments, from the text that a model wrote. */
function chatArguments(text: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return isJsonObject(value) ? value : text;
  } catch {
    return text;
  }
}
