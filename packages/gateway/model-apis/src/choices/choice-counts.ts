import type { TokenCounts } from "../facts/token-counts.ts";
import type { JsonObject } from "../json/json-object.ts";

/** What the usage of every answer with choices says. */
export function choiceCounts({ prompt_tokens, completion_tokens }: TokenCounts): JsonObject {
  const prompt = prompt_tokens ?? 0;
  const completion = completion_tokens ?? 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}
