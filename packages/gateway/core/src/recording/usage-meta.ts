import type { BilledApart, TokenCounts } from "@proj/model-apis";

export interface UsageMeta {
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly cached_tokens: number | undefined;
  readonly cache_write_tokens: number | undefined;
  readonly reasoning_tokens: number | undefined;
  readonly billed: object | undefined;
  readonly cost_nano_usd: number | undefined;
}

/** Tokens and cost as `meta_json` has them; unknown parts are left out. */
export function usageMeta(tokens: TokenCounts, cost_nano_usd: number | null): UsageMeta {
  const { prompt_tokens, completion_tokens, billed } = tokens;
  return {
    prompt_tokens,
    completion_tokens,
    cached_tokens: tokens.cached_tokens ?? undefined,
    cache_write_tokens: tokens.cache_write_tokens ?? undefined,
    reasoning_tokens: tokens.reasoning_tokens ?? undefined,
    billed: billed === undefined ? undefined : filled(billed),
    cost_nano_usd: cost_nano_usd ?? undefined,
  };
}

/** Without its empty members. */
function filled(billed: BilledApart): object {
  const members = Object.entries(billed).filter(([, value]) => Object.keys(value).length > 0);
  return Object.fromEntries(members);
}
