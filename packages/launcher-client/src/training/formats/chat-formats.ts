import type { Utterance, UtterancePart } from "@proj/sequences/conversation";
import { isJsonObject, type JsonObject } from "../../answer/answer.ts";
import { type Conversation, readConversations, type Turn } from "../conversations.ts";
import { describeRollout, rolloutColumns } from "../rollout.ts";
import type { ExportFormat } from "./export-format.ts";

/** What OpenAI's fine-tuning of chat models reads, and all that took its form over. */
export const openaiFinetuningFormat: ExportFormat = {
  name: "openai-finetuning",
  summary: "whole conversations as messages and tools",
  columns: ["messages", "tools"],
  *lines({ steps }) {
    for (const conversation of readConversations(steps.values())) {
      const { tools } = conversation.last;
      const messages = conversation.turns.flatMap(turnMessages);
      yield tools === null ? { messages } : { messages, tools };
    }
  },
};

/** ShareGPT's form, with the names that LLaMA-Factory and Axolotl read. */
export const sharegptFormat: ExportFormat = {
  name: "sharegpt",
  summary: "whole conversations as turns of human, gpt, function_call and observation",
  columns: ["conversations", "system", "tools", ...rolloutColumns],
  *lines(rollout) {
    for (const conversation of readConversations(rollout.steps.values())) {
      const all = utterancesOf(conversation);
      const isSystem = ({ role }: Utterance): boolean => role === "system" || role === "developer";
      const system = all.filter(isSystem).map(({ parts }) => textOf(parts));
      const { tools } = conversation.last;
      yield {
        conversations: all.filter((said) => !isSystem(said)).flatMap(shareTurns),
        ...(system.length === 0 ? {} : { system: system.join("\n\n") }),
        ...(tools === null ? {} : { tools: JSON.stringify(tools) }),
        ...describeRollout(rollout),
      };
    }
  },
};

/** What was replayed is context: the session that it was sampled in is trained on it. */
function turnMessages({ utterances, step }: Turn): JsonObject[] {
  const messages = utterances.flatMap(chatMessages);
  if (step === null || step.replayed_from === null) return messages;
  return messages.map((message) =>
    message.role === "assistant" ? { ...message, weight: 0 } : message,
  );
}

const utterancesOf = ({ turns }: Conversation): readonly Utterance[] =>
  turns.flatMap(({ utterances }) => utterances);

function chatMessages({ role, parts }: Utterance): JsonObject[] {
  const results = parts.flatMap((part) => (part.kind === "tool_result" ? [part] : []));
  const messages: JsonObject[] = results.map(({ call_id, text }) => ({
    role: "tool",
    tool_call_id: call_id,
    content: text,
  }));
  const calls = toolCalls(parts);
  const content = textOf(parts);
  if (content === "" && calls.length === 0) return messages;
  const tool_calls = calls.map(({ call_id, name, arguments: given }) => ({
    id: call_id,
    type: "function",
    function: { name, arguments: given },
  }));
  messages.push({ role, content, ...(tool_calls.length === 0 ? {} : { tool_calls }) });
  return messages;
}

function shareTurns({ role, parts }: Utterance): JsonObject[] {
  const text = textOf(parts);
  const from = role === "assistant" ? "gpt" : "human";
  return [
    ...parts.flatMap((part) =>
      part.kind === "tool_result" ? [{ from: "observation", value: part.text }] : [],
    ),
    ...(text === "" ? [] : [{ from, value: text }]),
    ...toolCalls(parts).map(({ name, arguments: given }) => ({
      from: "function_call",
      value: JSON.stringify({ name, arguments: argumentsOf(given) }),
    })),
  ];
}

/** What was said in words, a refusal included. */
export const textOf = (parts: readonly UtterancePart[]): string =>
  parts
    .flatMap((part) => (part.kind === "text" || part.kind === "refusal" ? [part.text] : []))
    .join("\n");

export const toolCalls = (
  parts: readonly UtterancePart[],
): readonly Extract<UtterancePart, { kind: "tool_call" }>[] =>
  parts.filter((part) => part.kind === "tool_call");

/** Arguments that are not a JSON object are kept as text. */
export function argumentsOf(given: string): JsonObject {
  try {
    const value: unknown = JSON.parse(given);
    if (isJsonObject(value)) return value;
  } catch {}
  return { arguments: given };
}
