import { createHttpClient } from "@proj/http-client";
import { inGroups } from "../snapshots/in-groups.ts";
import type { PriceSource, SourcedPrice, SourceOptions } from "./price-source.ts";

/** More than the digits of a JavaScript number, for any price above a millionth of a dollar. */
const priceDecimals = 18;
/** The API takes no more. */
const mintsPerRequest = 50;

/** Jupiter's price API: `/price/v3` for mints. Its prices have no time: they are current. */
export function jupiterSource({ base_url, api_key, tokens }: SourceOptions): PriceSource {
  const headers = api_key ? { "x-api-key": api_key } : {};
  const http = createHttpClient({ baseUrl: base_url, timeoutMs: 10_000, retry: false, headers });
  return {
    name: "jupiter",
    tokens: Object.keys(tokens),
    async read(asked, signal) {
      const read: SourcedPrice[] = [];
      for (const group of inGroups(asked, mintsPerRequest)) {
        const query = { ids: [...new Set(group.map((token) => tokens[token]))].join() };
        const { body } = await http.request("GET", "/price/v3", { query, signal });
        const prices: Readonly<Record<string, { readonly usdPrice?: unknown } | null>> =
          Object(body);
        const time = Math.floor(Date.now() / 1000);
        for (const token of group) {
          const price = scaled(prices[tokens[token] ?? ""]?.usdPrice);
          if (price !== null) read.push({ token, price, priceDecimals, time, confidence: null });
        }
      }
      return read;
    },
    close: () => http.close(),
  };
}

/** Null: it is not a price, or too small to be one with these decimals. */
function scaled(usdPrice: unknown): string | null {
  if (typeof usdPrice !== "number" || !(usdPrice > 0 && usdPrice < 1e20)) return null;
  const digits = usdPrice.toFixed(priceDecimals).replace(".", "").replace(/^0+/, "");
  return digits === "" ? null : digits;
}
