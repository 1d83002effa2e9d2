import { describeRollout, rolloutColumns } from "../rollout.ts";
import { argumentsOf } from "./arguments-of.ts";
import type { ExportFormat } from "./export-format.ts";
import { withParameters } from "./functions-of.ts";
import { conversationsIn, reasoningOf, type Said, textOf, toolCalls, toolResults } from "./said.ts";

/** ShareGPT's format, with the names that LLaMA-Factory reads. */
export const sharegptFormat: ExportFormat = {
  name: "sharegpt",
  summary: "whole conversations as turns of human, gpt, function_call and observation",
  columns: ["conversations", "system", "tools", ...rolloutColumns],
  needsHistory: true,
  *lines(rollout) {
    const conversations = conversationsIn(rollout);
    for (const { said, functions } of conversations) {
      const system = said.filter(({ role }) => role === "system").map(({ parts }) => textOf(parts));
      const tools = functions?.map(withParameters) ?? null;
      yield {
        conversations: sharedTurns(said.filter(({ role }) => role !== "system")),
        ...(system.length === 0 ? {} : { system: system.join("\n\n") }),
        ...(tools === null ? {} : { tools: JSON.stringify(tools) }),
        ...describeRollout(rollout, conversations.length),
      };
    }
  },
};

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
  const reasoning = reasoningOf(parts);
  // As models write it, and as LLaMA-Factory looks for it.
  const thought = reasoning === null ? "" : `<think>\n${reasoning}\n</think>\n\n`;
  const value = thought + textOf(parts);
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
