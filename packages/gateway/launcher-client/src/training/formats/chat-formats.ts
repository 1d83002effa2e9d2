import type { JsonObject } from "@proj/model-apis/json";
import { describeRollout, rolloutColumns } from "../rollout.ts";
import { argumentsOf } from "./arguments-of.ts";
import type { ExportFormat } from "./export-format.ts";
import { withParameters } from "./functions-of.ts";
import {
  conversationsIn,
  endWithModel,
  reasoningOf,
  type Said,
  saysSomething,
  textOf,
  toolCalls,
  toolResults,
} from "./said.ts";

/** The format of OpenAI's fine-tuning of chat models, which has no place for reasoning. */
export const openaiFinetuningFormat: ExportFormat = {
  name: "openai-finetuning",
  summary: "whole conversations as OpenAI's fine-tuning takes them, without reasoning",
  columns: ["messages", "tools"],
  needsHistory: true,
  *lines(rollout) {
    for (const { said, functions } of conversationsIn(rollout)) {
      const spoken = said.filter(({ role, parts }) => role === "tool" || saysSomething(parts));
      const messages = endWithModel(spoken).flatMap(openaiMessages);
      if (messages.length === 0) continue;
      yield functions === null ? { messages } : { messages, tools: functions };
    }
  },
};

/** The form of a conversation that Hugging Face's chat templates render. */
export const messagesFormat: ExportFormat = {
  name: "messages",
  summary: "whole conversations as chat templates render them, with reasoning",
  columns: ["messages", "tools", ...rolloutColumns],
  needsHistory: true,
  *lines(rollout) {
    const conversations = conversationsIn(rollout);
    for (const { said, functions } of conversations) {
      const tools = functions?.map(withParameters) ?? null;
      yield {
        messages: templateMessages(said),
        ...(tools === null ? {} : { tools }),
        ...describeRollout(rollout, conversations.length),
      };
    }
  },
};

/** What is context here, such as a replayed answer, is trained on elsewhere. */
function openaiMessages({ role, parts, isContext }: Said): JsonObject[] {
  if (role === "tool")
    return toolResults(parts).map(({ call_id, text }) => ({
      role,
      tool_call_id: call_id,
      content: text,
    }));
  const tool_calls = toolCalls(parts).map(({ call_id, name, arguments: given }) => ({
    id: call_id,
    type: "function",
    function: { name, arguments: given },
  }));
  return [
    {
      role,
      content: textOf(parts),
      ...(tool_calls.length === 0 ? {} : { tool_calls }),
      ...(isContext && role === "assistant" ? { weight: 0 } : {}),
    },
  ];
}

/** Templates serialize arguments themselves, and some name the function of each result. */
function templateMessages(said: readonly Said[]): JsonObject[] {
  const names = new Map<string | null, string>();
  return said.flatMap(({ role, parts, isContext }): JsonObject[] => {
    if (role === "tool")
      return toolResults(parts).map(({ call_id, text }) => ({
        role,
        ...(call_id === null ? {} : { tool_call_id: call_id }),
        ...(names.has(call_id) ? { name: names.get(call_id) } : {}),
        content: text,
      }));
    const reasoning_content = reasoningOf(parts);
    const tool_calls = toolCalls(parts).map(({ call_id, name, arguments: given }) => {
      names.set(call_id, name);
      const id = call_id === null ? {} : { id: call_id };
      return { ...id, type: "function", function: { name, arguments: argumentsOf(given) } };
    });
    return [
      {
        role,
        content: textOf(parts),
        ...(reasoning_content === null ? {} : { reasoning_content }),
        ...(tool_calls.length === 0 ? {} : { tool_calls }),
        ...(isContext && role === "assistant" ? { train: false } : {}),
      },
    ];
  });
}
