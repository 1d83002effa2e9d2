import { type TokenCounts, tokenCount } from "../facts/token-counts.ts";
import type { JsonObject } from "../json/json-object.ts";

/** The counts of a `usageMetadata`. The candidates' tokens leave out thoughts. */
export function contentCounts(usage: JsonObject): TokenCounts {
  const of = (name: string): number | null => tokenCount(usage[name]);
  return {
    prompt_tokens: sum(of("promptTokenCount"), of("toolUsePromptTokenCount")),
    completion_tokens: sum(of("candidatesTokenCount"), of("thoughtsTokenCount")),
    cached_tokens: of("cachedContentTokenCount"),
    cache_write_tokens: null,
    reasoning_tokens: of("thoughtsTokenCount"),
  };
}

const sum = (one: number | null, other: number | null): number | null =>
  one === null ? other : one + (other ?? 0);

/** The usage of a written answer. */
export function writeUsage(counts: TokenCounts): JsonObject {
  const { prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens } = counts;
  const prompt = prompt_tokens ?? 0;
  const completion = completion_tokens ?? 0;
  const thoughts = reasoning_tokens ?? 0;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: completion - thoughts,
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
    ...(cached_tokens === null || cached_tokens === 0
      ? {}
      : { cachedContentTokenCount: cached_tokens }),
    totalTokenCount: prompt + completion,
  };
}
