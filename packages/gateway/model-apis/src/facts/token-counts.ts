import type { BilledApart } from "./billed-apart.ts";

/** The tokens that an answer used, as the upstream reports them; null where it does not. */
export interface TokenCounts {
  /** The whole prompt, including what was read from a cache or written to it. */
  readonly prompt_tokens: number | null;
  /** The whole answer, including its reasoning. */
  readonly completion_tokens: number | null;
  /** Part of the prompt: read from the upstream's cache. */
  readonly cached_tokens: number | null;
  /** Part of the prompt: written to the upstream's cache. */
  readonly cache_write_tokens: number | null;
  /** Part of the answer: reasoning. */
  readonly reasoning_tokens: number | null;
  /** What is billed by prices of its own. Left out if nothing is. */
  readonly billed?: BilledApart | undefined;
}

export const noTokens: TokenCounts = {
  prompt_tokens: null,
  completion_tokens: null,
  cached_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};

/** Only the counts, from an object with more members. */
export function tokensOf(counts: TokenCounts | null): TokenCounts {
  if (counts === null) return noTokens;
  const { prompt_tokens, completion_tokens } = counts;
  const { cached_tokens, cache_write_tokens, reasoning_tokens, billed } = counts;
  return {
    prompt_tokens,
    completion_tokens,
    cached_tokens,
    cache_write_tokens,
    reasoning_tokens,
    ...(billed === undefined ? {} : { billed }),
  };
}

/** A token count from parsed JSON; null if the value is not one. */
export function tokenCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
