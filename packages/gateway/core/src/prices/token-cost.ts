import type { PriceConfig, TieredPrices, TokenPrices } from "@proj/gateway-protocol";
import type { CacheLifetime, TokenCounts } from "@proj/model-apis";

/** One dollar per million tokens is a million picodollars per token. */
const picodollars = (price: number): bigint => BigInt(Math.round(price * 1_000_000));

/** The latest price that applies at that time. */
export function priceAt(prices: readonly PriceConfig[], at: number): PriceConfig | null {
  let found: PriceConfig | null = null;
  for (const price of prices) {
    if (beginningOf(price) > at) continue;
    if (found === null || beginningOf(price) > beginningOf(found)) found = price;
  }
  return found;
}

const beginningOf = ({ from }: PriceConfig): number =>
  from === null ? Number.NEGATIVE_INFINITY : Date.parse(from);

/** The prices of the first tier that has some; else the listed ones. */
export function tierOf(price: PriceConfig, tiers: readonly string[]): TieredPrices {
  const { service_tiers = {} } = price;
  const tier = tiers.find((name) => Object.hasOwn(service_tiers, name));
  return tier === undefined ? price : (service_tiers[tier] ?? price);
}

/** The cost of one prompt and its answer in picodollars. */
export function tokenCost(tiered: TieredPrices, tokens: TokenCounts): bigint {
  // A part that exceeds its whole, as from an upstream that counts differently, is not paid for twice.
  const prompt = tokens.prompt_tokens ?? 0;
  const cached = Math.min(tokens.cached_tokens ?? 0, prompt);
  const written = Math.min(tokens.cache_write_tokens ?? 0, prompt - cached);
  const completion = tokens.completion_tokens ?? 0;
  const reasoning = Math.min(tokens.reasoning_tokens ?? 0, completion);
  const prices = pricesFor(tiered, prompt);
  const { input, output } = prices;
  return (
    BigInt(prompt - cached - written) * picodollars(input) +
    BigInt(cached) * picodollars(prices.cached_input ?? input) +
    writeCost(prices, written, tokens.billed?.cache_writes ?? {}) +
    BigInt(completion - reasoning) * picodollars(output) +
    BigInt(reasoning) * picodollars(prices.reasoning ?? output)
  );
}

function pricesFor(tiered: TieredPrices, prompt_tokens: number): TokenPrices {
  let found: TokenPrices = tiered;
  let longest = -1;
  for (const prices of tiered.long_context ?? []) {
    if (prompt_tokens <= prices.above || prices.above <= longest) continue;
    found = prices;
    longest = prices.above;
  }
  return found;
}

/** The key for what is kept that long; five minutes and unknown times are `cache_write`. */
export const writeKeys: readonly (readonly [CacheLifetime, WriteKey])[] = [
  ["30m", "cache_write_30m"],
  ["1h", "cache_write_1h"],
  ["12h", "cache_write_12h"],
];

type WriteKey = "cache_write_30m" | "cache_write_1h" | "cache_write_12h";

function writeCost(
  prices: TokenPrices,
  written: number,
  writes: Readonly<Partial<Record<CacheLifetime, number>>>,
): bigint {
  const usual = prices.cache_write ?? prices.input;
  let rest = written;
  let cost = 0n;
  for (const [lifetime, key] of writeKeys) {
    const count = Math.min(writes[lifetime] ?? 0, rest);
    if (count === 0) continue;
    cost += BigInt(count) * picodollars(prices[key] ?? usual);
    rest -= count;
  }
  return cost + BigInt(rest) * picodollars(usual);
}

/** The cost of calls of the upstream's own tools in picodollars; those without a price cost nothing. */
export function toolCost(
  { server_tools = {} }: PriceConfig,
  calls: Readonly<Record<string, number>>,
): bigint {
  let cost = 0n;
  for (const [tool, count] of Object.entries(calls)) {
    const price = Object.hasOwn(server_tools, tool) ? (server_tools[tool] ?? 0) : 0;
    cost += BigInt(count) * picodollars(price) * 1_000n;
  }
  return cost;
}
