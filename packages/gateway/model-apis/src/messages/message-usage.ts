import { type TokenCounts, tokenCount } from "../facts/token-counts.ts";
import type { JsonObject } from "../json/json-object.ts";

/** The parts in which a prompt is counted; they do not overlap. */
const promptCounts = [
  "input_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
] as const;

/** The counts read from a usage; thinking is counted only as part of the output. */
export const usageCounts: readonly string[] = [...promptCounts, "output_tokens"];

export function messageTokens(usage: JsonObject): TokenCounts {
  const counts = promptCounts.flatMap((name) => tokenCount(usage[name]) ?? []);
  return {
    prompt_tokens: counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0),
    completion_tokens: tokenCount(usage.output_tokens),
    cached_tokens: tokenCount(usage.cache_read_input_tokens),
    cache_write_tokens: tokenCount(usage.cache_creation_input_tokens),
    reasoning_tokens: null,
  };
}
