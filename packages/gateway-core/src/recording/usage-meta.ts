import type { TokenCounts } from "../bodies/token-counts.ts";

/** What `meta_json` says of tokens and cost; a part that is not known is left out. */
export function usageMeta(tokens: TokenCounts, cost_nano_usd: number | null): object {
  const { prompt_tokens, completion_tokens } = tokens;
  return {
    prompt_tokens,
    completion_tokens,
    cached_tokens: tokens.cached_tokens ?? undefined,
    cache_write_tokens: tokens.cache_write_tokens ?? undefined,
    reasoning_tokens: tokens.reasoning_tokens ?? undefined,
    cost_nano_usd: cost_nano_usd ?? undefined,
  };
}
