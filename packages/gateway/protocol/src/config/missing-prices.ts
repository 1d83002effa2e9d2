import type { PriceConfig, RouteConfig } from "../config.ts";

/** The prices that a provider has beside those of input and output, by the end of its host's name. */
const billedBy: readonly (readonly [host: string, keys: readonly string[]])[] = [
  ["anthropic.com", ["cached_input", "cache_write", "cache_write_1h", "server_tools.web_search"]],
  ["openai.com", ["cached_input", "server_tools.web_search"]],
];

/** Says which prices a route's provider has that the route's latest price lacks: costs may be recorded too low. */
export function missingPrices(key: string, { base_urls, prices }: RouteConfig): string[] {
  const latest = prices.reduce<PriceConfig | null>(later, null);
  if (latest === null) return [];
  return billedBy.flatMap(([host, keys]) => {
    const isTheirs = base_urls.some((url) => `.${new URL(url).hostname}`.endsWith(`.${host}`));
    const missing = isTheirs ? keys.filter((name) => !hasPrice(latest, name)) : [];
    if (missing.length === 0) return [];
    return [
      `the prices of route '${key}' have no ${missing.join(", ")}, which ${host} bills apart: costs may be recorded wrongly`,
    ];
  });
}

const later = (one: PriceConfig | null, other: PriceConfig): PriceConfig =>
  one === null || (other.from ?? "") > (one.from ?? "") ? other : one;

function hasPrice(price: PriceConfig, key: string): boolean {
  const [name, member] = key.split(".");
  const value: unknown = Reflect.get(price, name ?? "");
  if (member === undefined) return typeof value === "number";
  return typeof value === "object" && value !== null && Object.hasOwn(value, member);
}
