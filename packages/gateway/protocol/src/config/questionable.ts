import type { GatewayConfig, RouteConfig } from "../config.ts";
import { missingPrices } from "./missing-prices.ts";

/** Settings that are valid but probably not intended, each described in a sentence. Contains no secret. */
export function questionableSettings({ llm_routes }: GatewayConfig): string[] {
  return Object.entries(llm_routes).flatMap(([key, route]) => [
    ...pathless(key, route),
    ...missingPrices(key, route),
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
