import { createHttpClient } from "@proj/http-client";
import type { PriceSource, SourceOptions } from "./price-source.ts";

/** More than the digits of a JavaScript number, for any price above a millionth of a dollar. */
const priceDecimals = 18;

/** Jupiter's price API: `/price/v3` for mints. Its prices have no time: they are current. */
export function jupiterSource({ base_url, tokens }: SourceOptions): PriceSource {
  const http = createHttpClient({ baseUrl: base_url, timeoutMs: 10_000, retry: false });
  return {
    name: "jupiter",
    async read(signal) {
      const query = { ids: Object.values(tokens).join(",") };
      const { body } = await http.request("GET", "/price/v3", { query, signal });
      const prices: Readonly<Record<string, { readonly usdPrice?: unknown } | null>> = Object(body);
      const time = Math.floor(Date.now() / 1000);
      return Object.entries(tokens).flatMap(([token, mint]) => {
        const usdPrice = prices[mint]?.usdPrice;
        if (typeof usdPrice !== "number" || !(usdPrice > 0 && usdPrice < 1e20)) return [];
        const price = usdPrice.toFixed(priceDecimals).replace(".", "").replace(/^0+/, "") || "0";
        return [{ token, price, priceDecimals, time, confidence: null }];
      });
    },
    close: () => http.close(),
  };
}
