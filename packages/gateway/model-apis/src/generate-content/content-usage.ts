import {
  billedApart,
  type TokenCounts,
  tiersOf,
  tokenCount,
  unknownCounts,
} from "../facts/token-counts.ts";
import { isJsonObject, type JsonObject, listOf, objectOf, objectsOf } from "../json/json-object.ts";

/** Counts that are paid for: by the prices of a prompt and an answer, or as a part of another one. */
const paidFor: ReadonlySet<string> = new Set([
  ...["promptTokenCount", "toolUsePromptTokenCount", "cachedContentTokenCount"],
  ...["candidatesTokenCount", "responseTokenCount", "thoughtsTokenCount", "totalTokenCount"],
]);

/** Where tokens are listed by modality, and the modalities that cost as much as text there. */
const listed: Readonly<Record<string, ReadonlySet<unknown>>> = {
  promptTokensDetails: new Set(["TEXT", "IMAGE", "VIDEO", "DOCUMENT"]),
  toolUsePromptTokensDetails: new Set(["TEXT", "IMAGE", "VIDEO", "DOCUMENT"]),
  cacheTokensDetails: new Set(["TEXT", "IMAGE", "VIDEO", "DOCUMENT"]),
  candidatesTokensDetails: new Set(["TEXT"]),
};

/**
 * The counts of a `usageMetadata`. The candidates' tokens leave out thoughts.
 * @param searches queries that grounded the answer, by the tool that ran them
 */
export function contentCounts(
  usage: JsonObject,
  searches: Readonly<Record<string, number>> = {},
): TokenCounts {
  const of = (name: string): number | null => tokenCount(usage[name]);
  const lower = (name: string): string => String(usage[name] ?? "").toLowerCase();
  const billed = billedApart({
    tiers: tiersOf(lower("serviceTier"), lower("trafficType")),
    server_tools: searches,
    unknown: [...unknownModalities(usage), ...unknownCounts(usage, paidFor, new Set())],
  });
  return {
    ...(billed === undefined ? {} : { billed }),
    prompt_tokens: sum(of("promptTokenCount"), of("toolUsePromptTokenCount")),
    completion_tokens: sum(of("candidatesTokenCount"), of("thoughtsTokenCount")),
    cached_tokens: of("cachedContentTokenCount"),
    cache_write_tokens: null,
    reasoning_tokens: of("thoughtsTokenCount"),
  };
}

function unknownModalities(usage: JsonObject): string[] {
  return Object.entries(listed).flatMap(([name, likeText]) =>
    objectsOf(usage[name])
      .filter(
        ({ modality, tokenCount: count }) =>
          !likeText.has(modality) && (tokenCount(count) ?? 0) > 0,
      )
      .map(({ modality }) => `${name}.${String(modality).slice(0, 32)}`),
  );
}

/** The searches that a candidate says it is grounded in, by the name of their tool. */
export function searchesIn(grounding: unknown): Record<string, number> {
  const { webSearchQueries, imageSearchQueries, groundingChunks } = objectOf(grounding);
  const searches = listOf(webSearchQueries).length + listOf(imageSearchQueries).length;
  // Google's maps are billed by the prompt, and say nothing but what they found.
  const usesMaps = objectsOf(groundingChunks).some(({ maps }) => isJsonObject(maps));
  return {
    ...(searches === 0 ? {} : { google_search: searches }),
    ...(usesMaps ? { google_maps: 1 } : {}),
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
