import { createHttpClient } from "@proj/http-client";
import { inGroups } from "../snapshots/in-groups.ts";
import type { PriceSource, SourcedPrice, SourceOptions } from "./price-source.ts";

interface HermesPrice {
  readonly id: string;
  readonly price: {
    readonly price: string;
    readonly conf: string;
    readonly expo: number;
    readonly publish_time: number;
  };
}

/** An id takes 75 characters of the URL, and some proxies refuse a request line of more than 8 KB. */
const feedsPerRequest = 50;

/** Pyth's Hermes: `/v2/updates/price/latest` for feeds by id. */
export function hermesSource({ base_url, api_key, tokens }: SourceOptions): PriceSource {
  const headers = api_key ? { authorization: `Bearer ${api_key}` } : {};
  const http = createHttpClient({ baseUrl: base_url, timeoutMs: 10_000, retry: false, headers });
  const feedOf = (token: string): string => plain(tokens[token] ?? "");
  return {
    name: "hermes",
    tokens: Object.keys(tokens),
    async read(asked, signal) {
      const prices: SourcedPrice[] = [];
      // Several tokens may have one feed, such as a token and its wrapped form.
      const byFeed = Map.groupBy(asked, feedOf);
      for (const ids of inGroups(byFeed.keys(), feedsPerRequest)) {
        // Otherwise one feed that no longer exists would fail the whole request.
        const query = { "ids[]": ids, parsed: true, ignore_invalid_price_ids: true };
        const { body } = await http.request("GET", "/v2/updates/price/latest", { query, signal });
        const { parsed = [] }: { parsed?: readonly HermesPrice[] } = Object(body);
        for (const update of parsed)
          for (const token of byFeed.get(plain(update.id)) ?? [])
            prices.push(...sourced(token, update));
      }
      return prices;
    },
    close: () => http.close(),
  };
}

/** Hermes omits the `0x` that others write. */
const plain = (id: string): string => id.toLowerCase().replace(/^0x/, "");

function sourced(token: string, { price: update }: HermesPrice): SourcedPrice[] {
  const { price, conf, expo, publish_time: time } = update;
  if (!/^[1-9]\d*$/.test(price)) return [];
  const zeros = "0".repeat(Math.max(0, expo));
  const confidence = Number(conf) / Number(price);
  return [{ token, price: price + zeros, priceDecimals: Math.max(0, -expo), time, confidence }];
}
