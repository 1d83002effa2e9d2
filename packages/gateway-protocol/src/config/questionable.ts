import type { GatewayConfig } from "../config.ts";

/** What may be meant as it is, and probably is not; each a sentence. Holds no secret. */
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
