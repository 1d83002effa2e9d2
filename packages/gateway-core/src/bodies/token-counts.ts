/** What an upstream says that an answer used; null: it does not say. */
export interface TokenCounts {
  /** Of the whole prompt, with what a cache had and what was written to it. */
  readonly prompt_tokens: number | null;
  /** Of the whole answer, with its reasoning. */
  readonly completion_tokens: number | null;
  /** Of the prompt: read from the upstream's cache. */
  readonly cached_tokens: number | null;
  /** Of the prompt: written to the upstream's cache. */
  readonly cache_write_tokens: number | null;
  /** Of the answer: reasoning. */
  readonly reasoning_tokens: number | null;
}

export const noTokens: TokenCounts = {
  prompt_tokens: null,
  completion_tokens: null,
  cached_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};

/** The counts alone, of what has more members. */
export function tokensOf(counts: TokenCounts | null): TokenCounts {
  if (counts === null) return noTokens;
  const { prompt_tokens, completion_tokens } = counts;
  const { cached_tokens, cache_write_tokens, reasoning_tokens } = counts;
  return {
    prompt_tokens,
    completion_tokens,
    cached_tokens,
    cache_write_tokens,
    reasoning_tokens,
  };
}

/** A count in parsed JSON; null: the value is not one. */
export function tokenCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
