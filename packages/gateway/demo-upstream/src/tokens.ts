import { isJsonObject, type JsonObject } from "@proj/model-apis/json";
import type { Call, Prompt } from "./prompt.ts";

// The alternatives cover every character, so that the tokens join to the text again.
const token = /\s?[\p{L}\p{N}_]{1,8}|\s?[^\s\p{L}\p{N}_]|\s/gu;

export function tokenize(text: string): readonly string[] {
  return text.match(token) ?? [];
}

/**
 * The prompt as a model sees it: the tools, each turn between its marks, and the mark of the turn that the model will
 * write.
 */
export function tokenizePrompt({ turns, tools, toys: { drift } }: Prompt): readonly string[] {
  const offered = tools.flatMap(({ name }) => [`<|tool_offered|>${name}`]);
  const all = turns.flatMap((turn) => {
    const tokens = [
      ...thinkingTokens(drift === "strip_thinking" ? "" : turn.thinking),
      ...tokenize(turn.text),
    ];
    const calls = turn.calls.flatMap((call) =>
      callTokens(drift === "sort_arguments" ? sorted(call) : call),
    );
    const written = [...tokens, ...calls];
    const isMerged = drift === "merge" && turn.role === "assistant";
    return [`<|${turn.role}|>`, ...(isMerged ? inPairs(written) : written), "<|end|>"];
  });
  return [...offered, ...all, "<|assistant|>"];
}

/** The tokens that the model writes before its answer. */
export function thinkingTokens(thinking: string): readonly string[] {
  return thinking === "" ? [] : ["<think>", ...tokenize(thinking), "</think>"];
}

export function callTokens({ name, arguments: given }: Call): readonly string[] {
  return [`<|call|>${name}`, ...tokenize(given)];
}

function inPairs(tokens: readonly string[]): string[] {
  return tokens.flatMap((token, at) => (at % 2 === 0 ? [token + (tokens[at + 1] ?? "")] : []));
}

/** With sorted keys and spaces, as templates write them. */
function sorted({ name, arguments: given }: Call): Call {
  try {
    const value: unknown = JSON.parse(given);
    if (!isJsonObject(value)) return { name, arguments: given };
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}: ${JSON.stringify(value[key])}`);
    return { name, arguments: `{${members.join(", ")}}` };
  } catch {
    return { name, arguments: given };
  }
}

/** FNV-1a over the UTF-16 units, folded into a vocabulary of 50,000. */
export function tokenId(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % 50_000;
}

function logprob(text: string, rank: number): JsonObject {
  return {
    token: text,
    logprob: -(tokenId(text) % 100) / 100 - rank,
    bytes: [...Buffer.from(text)],
  };
}

/** @param top how many alternatives are listed, the token itself first */
export function tokenLogprob(text: string, top: number): JsonObject {
  const alternatives = Array.from({ length: top }, (_, rank) =>
    logprob(rank === 0 ? text : `${text}${rank}`, rank),
  );
  return { ...logprob(text, 0), top_logprobs: alternatives };
}
