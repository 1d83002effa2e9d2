import { isJsonObject, type JsonObject } from "../../answer/answer.ts";
import { readConversations } from "../conversations.ts";
import { describeRollout, rolloutColumns } from "../rollout.ts";
import type { ExportFormat } from "./export-format.ts";
import { functionsOf } from "./functions-of.ts";
import { type Said, saidIn, textOf, toolCalls, toolResults } from "./said.ts";

/** The format of OpenAI's fine-tuning of chat models, and of everything that adopted it. */
export const openaiFinetuningFormat: ExportFormat = {
  name: "openai-finetuning",
  summary: "whole conversations as messages and tools",
  columns: ["messages", "tools"],
  *lines({ steps }) {
    for (const conversation of readConversations(steps.values())) {
      const messages = saidIn(conversation).flatMap(chatMessages);
      if (messages.length === 0) continue;
      const tools = functionsOf(conversation.last.tools);
      yield tools === null ? { messages } : { messages, tools };
    }
  },
};

/** ShareGPT's format, with the names that LLaMA-Factory and Axolotl read. */
export const sharegptFormat: ExportFormat = {
  name: "sharegpt",
  summary: "whole conversations as turns of human, gpt, function_call and observation",
  columns: ["conversations", "system", "tools", ...rolloutColumns],
  *lines(rollout) {
    for (const conversation of readConversations(rollout.steps.values())) {
      const all = saidIn(conversation);
      if (all.length === 0) continue;
      const system = all.filter(({ role }) => role === "system").map(({ parts }) => textOf(parts));
      const tools = functionsOf(conversation.last.tools)?.map(withParameters) ?? null;
      yield {
        conversations: sharedTurns(all.filter(({ role }) => role !== "system")),
        ...(system.length === 0 ? {} : { system: system.join("\n\n") }),
        ...(tools === null ? {} : { tools: JSON.stringify(tools) }),
        ...describeRollout(rollout),
      };
    }
  },
};

/** A replayed answer is context: the session that sampled it trains on it. */
function chatMessages({ role, parts, isReplayed }: Said): JsonObject[] {
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
      ...(isReplayed && role === "assistant" ? { weight: 0 } : {}),
    },
  ];
}

interface SharedTurn {
  readonly from: "human" | "observation" | "gpt" | "function_call";
  readonly value: string;
}

/** LLaMA-Factory skips a conversation whose sides do not take turns: consecutive messages of one side are joined. */
function sharedTurns(all: readonly Said[]): SharedTurn[] {
  const turns: SharedTurn[] = [];
  for (const turn of all.map(sharedTurn)) {
    const before = turns.at(-1);
    if (before === undefined || isModel(before) !== isModel(turn)) turns.push(turn);
    else {
      const from = before.from === "human" || before.from === "gpt" ? turn.from : before.from;
      turns.splice(-1, 1, { from, value: `${before.value}\n\n${turn.value}` });
    }
  }
  return turns;
}

const isModel = ({ from }: SharedTurn): boolean => from === "gpt" || from === "function_call";

function sharedTurn({ role, parts }: Said): SharedTurn {
  if (role === "tool")
    return {
      from: "observation",
      value: toolResults(parts)
        .map(({ text }) => text)
        .join("\n"),
    };
  const value = textOf(parts);
  const calls = toolCalls(parts).map(({ name, arguments: given }) => ({
    name,
    arguments: argumentsOf(given),
  }));
  if (calls.length === 0) return { from: role === "assistant" ? "gpt" : "human", value };
  const json = JSON.stringify(calls.length === 1 ? calls[0] : calls);
  // LLaMA-Factory needs it to tell calls from the words before them.
  const call = value === "" ? json : `${value}\n<tool_call>${json}</tool_call>`;
  return { from: "function_call", value: call };
}

/** LLaMA-Factory reads the properties of every tool. */
function withParameters(tool: JsonObject): JsonObject {
  const described = isJsonObject(tool.function) ? tool.function : {};
  const { parameters } = described;
  const given = isJsonObject(parameters) ? parameters : {};
  const object = { type: "object", ...given, properties: given.properties ?? {} };
  return { ...tool, function: { description: "", ...described, parameters: object } };
}

/** Arguments that are not a JSON object are kept as text. */
export function argumentsOf(given: string): JsonObject {
  try {
    const value: unknown = JSON.parse(given);
    if (isJsonObject(value)) return value;
  } catch {}
  return { arguments: given };
}
