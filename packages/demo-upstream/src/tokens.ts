import type { JsonObject } from "./json-object.ts";
import type { Turn } from "./prompt.ts";

// Every character falls into one of the alternatives, so that the tokens join to the text again.
const token = /\s?[\p{L}\p{N}_]{1,8}|\s?[^\s\p{L}\p{N}_]|\s/gu;

export function tokenize(text: string): readonly string[] {
  return text.match(token) ?? [];
}

/** The prompt as a model would see it, each turn between its marks. */
export function tokenizePrompt(turns: readonly Turn[]): readonly string[] {
  return turns.flatMap(({ role, text }) => [`<|${role}|>`, ...tokenize(text), "<|end|>"]);
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
