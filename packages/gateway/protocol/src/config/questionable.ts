import type { GatewayConfig, RouteConfig } from "../config.ts";
import { missingPrices } from "./missing-prices.ts";

/** Settings that are valid but probably not intended, each described in a sentence. Contains no secret. */
export function questionableSettings({
  llm_routes,
  max_tokens,
  max_cost_usd,
}: GatewayConfig): string[] {
  const hasBudget = max_tokens >= 0 || max_cost_usd !== null;
  return Object.entries(llm_routes).flatMap(([key, route]) => [
    ...pathless(key, route),
    ...missingPrices(key, route),
    ...(hasBudget ? uncounted(key, route) : []),
  ]);
}

function pathless(key: string, { base_urls }: RouteConfig): string[] {
  return base_urls.flatMap((base_url) => {
    const { origin, pathname } = new URL(base_url);
    if (pathname !== "/") return [];
    return [
      `the base_url of route '${key}' has no version path: requests go to ${origin}/chat/completions, and most servers expect ${origin}/v1/chat/completions`,
    ];
  });
}

/** The APIs whose streams tell their usage only if they are asked. */
const silent: readonly string[] = ["chat_completions", "completions"];

function* uncounted(key: string, route: RouteConfig): Generator<string> {
  const { endpoints, engine, prices, stream_usage, supports_stream } = route;
  const isSilent = supports_stream && endpoints.some((api) => silent.includes(api));
  if (isSilent && engine === null && !stream_usage)
    yield `streams of route '${key}' count towards a session's budget only if their callers ask for usage: stream_usage is false`;
  const days = prices.map(({ from }) => from ?? "");
  const [first] = days.toSorted();
  if (first !== undefined && Date.parse(first) > Date.now())
    yield `route '${key}' has no price before ${first}: until then its steps cost nothing`;
}
