import type { PriceConfig } from "@proj/gateway-protocol";
import type { TokenCounts } from "@proj/model-apis";
import { priceAt, tierOf, writeKeys } from "./token-cost.ts";

/** Part of a usage that providers bill by a price which the configuration does not have. */
export interface PriceGap {
  /** What the answer reported. */
  readonly usage: string;
  /** The missing key of `prices`; null: there is no key for it. */
  readonly key: string | null;
}

/** Costs nothing beside the tokens that it adds to the prompt. */
const freeTools: ReadonlySet<string> = new Set(["web_fetch"]);

/**
 * What of an answer's usage has no price of its own in `prices`, so that its cost is a guess. Empty if there are no
 * prices at all.
 * @param at when the call began, in milliseconds since the epoch
 */
export function priceGaps(
  prices: readonly PriceConfig[],
  at: number,
  { billed, cache_write_tokens }: TokenCounts,
): PriceGap[] {
  const price = priceAt(prices, at);
  if (price === null) return [];
  const gaps: PriceGap[] = [];
  const { service_tiers = {}, server_tools = {} } = price;
  const tiers = billed?.tiers ?? [];
  const priced = tiers.filter((tier) => Object.hasOwn(service_tiers, tier));
  // One price holds for a call; of two tiers it can have that of one.
  for (const tier of tiers)
    if (tier !== priced[0]) gaps.push({ usage: `tier ${tier}`, key: `service_tiers.${tier}` });
  const rates = tierOf(price, tiers);
  const where = rates === price ? "" : `service_tiers.${priced[0]}.`;
  const writes = billed?.cache_writes ?? {};
  for (const [lifetime, key] of writeKeys) {
    const count = writes[lifetime] ?? 0;
    // Half an hour is what OpenAI's usual price is for.
    const usual = lifetime === "30m" ? rates.cache_write : null;
    if (count > 0 && (rates[key] ?? usual ?? null) === null)
      gaps.push({ usage: `cache writes of ${lifetime}`, key: `${where}${key}` });
  }
  const isLonger = Object.keys(writes).some((lifetime) => lifetime !== "5m");
  if ((cache_write_tokens ?? 0) > 0 && !isLonger && (rates.cache_write ?? null) === null)
    gaps.push({ usage: "cache writes", key: `${where}cache_write` });
  for (const tool of Object.keys(billed?.server_tools ?? {}))
    if (!Object.hasOwn(server_tools, tool) && !freeTools.has(tool))
      gaps.push({ usage: `calls of ${tool}`, key: `server_tools.${tool}` });
  if ((price.advisor ?? null) === null && billed?.iterations.some(isAdvisor))
    gaps.push({ usage: "advisor_message iterations", key: "advisor" });
  for (const name of billed?.unknown ?? []) gaps.push({ usage: `usage.${name}`, key: null });
  return gaps;
}

const isAdvisor = ({ type }: { readonly type: string }): boolean => type === "advisor_message";

/** A sentence about a gap. */
export const gapSentence = (route: string, { usage, key }: PriceGap): string =>
  key === null
    ? `answers of route '${route}' report ${usage}, which no key of prices covers: recorded costs leave it out`
    : `answers of route '${route}' report ${usage}, and its prices have no ${key}: recorded costs may be too low`;
