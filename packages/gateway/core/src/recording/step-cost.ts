import type { PriceConfig } from "@proj/gateway-protocol";
import type { TokenCounts } from "@proj/model-apis";
import type { Call } from "../call/call.ts";

/** One dollar per million tokens is a million picodollars per token. */
const picodollars = (price: number): bigint => BigInt(Math.round(price * 1_000_000));

/**
 * The cost of a call in whole nano-dollars (10^-9 US dollars), half of one rounded up, so that sums of costs
 * are exact. Null if the route has no price for that day, the upstream reported no tokens, or the cost
 * exceeds what a number can hold.
 * @param at when the call began, in milliseconds since the epoch
 */
export function costNanoUsd(
  prices: readonly PriceConfig[],
  at: number,
  tokens: TokenCounts | null,
): number | null {
  if (prices.length === 0 || tokens === null) return null;
  const { prompt_tokens, completion_tokens } = tokens;
  if (prompt_tokens === null && completion_tokens === null) return null;
  const price = priceAt(prices, at);
  if (price === null) return null;
  // A part that exceeds its whole, as from an upstream that counts differently, is not paid for twice.
  const prompt = prompt_tokens ?? 0;
  const cached = Math.min(tokens.cached_tokens ?? 0, prompt);
  const written = Math.min(tokens.cache_write_tokens ?? 0, prompt - cached);
  const completion = completion_tokens ?? 0;
  const reasoning = Math.min(tokens.reasoning_tokens ?? 0, completion);
  const { input, output } = price;
  const cost =
    BigInt(prompt - cached - written) * picodollars(input) +
    BigInt(cached) * picodollars(price.cached_input ?? input) +
    BigInt(written) * picodollars(price.cache_write ?? input) +
    BigInt(completion - reasoning) * picodollars(output) +
    BigInt(reasoning) * picodollars(price.reasoning ?? output);
  const nanodollars = Number((cost + 500n) / 1_000n);
  return Number.isSafeInteger(nanodollars) ? nanodollars : null;
}

/**
 * The cost of a call by its route's prices, from its answer's usage: computed once, for its row, the metrics and its
 * span. An answer from a record costs nothing again.
 */
export function costOf(
  call: Pick<Call, "route" | "timings" | "replayed" | "cost_nano_usd">,
  facts: TokenCounts | null,
): number | null {
  if (facts === null || call.replayed !== null) return null;
  if (call.cost_nano_usd === undefined)
    call.cost_nano_usd = costNanoUsd(call.route.config.prices, call.timings.startedAt, facts);
  return call.cost_nano_usd;
}

/** The latest price that applies at that time. */
function priceAt(prices: readonly PriceConfig[], at: number): PriceConfig | null {
  let found: PriceConfig | null = null;
  for (const price of prices) {
    if (beginningOf(price) > at) continue;
    if (found === null || beginningOf(price) > beginningOf(found)) found = price;
  }
  return found;
}

const beginningOf = ({ from }: PriceConfig): number =>
  from === null ? Number.NEGATIVE_INFINITY : Date.parse(from);
