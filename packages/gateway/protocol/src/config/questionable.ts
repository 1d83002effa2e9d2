import type { GatewayConfig } from "../config.ts";

/** Settings that are valid but probably not intended, each described in a sentence. Contains no secret. */
export function questionableSettings({ llm_routes }: GatewayConfig): string[] {
  return Object.entries(llm_routes).flatMap(([key, { base_urls }]) =>
    base_urls.flatMap((base_url) => {
      const { origin, pathname } = new URL(base_url);
      if (pathname !== "/") return [];
      return [
        `the base_url of route '${key}' has no version path: requests go to ${origin}/chat/completions, and most servers expect ${origin}/v1/chat/completions`,
      ];
    }),
  );
}
