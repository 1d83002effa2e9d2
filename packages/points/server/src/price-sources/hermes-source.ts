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
  const byFeed = new Map(Object.entries(tokens).map(([token, id]) => [plain(id), token]));
  return {
    name: "hermes",
    tokens: Object.keys(tokens),
    async read(asked, signal) {
      const prices: SourcedPrice[] = [];
      for (const group of inGroups(asked, feedsPerRequest)) {
        const ids = group.map((token) => tokens[token] ?? "");
        // Otherwise one feed that no longer exists would fail the whole request.
        const query = { "ids[]": ids, parsed: true, ignore_invalid_price_ids: true };
        const { body } = await http.request("GET", "/v2/updates/price/latest", { query, signal });
        const { parsed = [] }: { parsed?: readonly HermesPrice[] } = Object(body);
        for (const update of parsed) prices.push(...sourced(byFeed.get(plain(update.id)), update));
      }
      return prices;
    },
    close: () => http.close(),
  };
}

/** Hermes omits the `0x` that others write. */
const plain = (id: string): string => id.toLowerCase().replace(/^0x/, "");

function sourced(token: string | undefined, { price: update }: HermesPrice): SourcedPrice[] {
  const { price, conf, expo, publish_time: time } = update;
  if (token === undefined || !/^[1-9]\d*$/.test(price)) return [];
  const zeros = "0".repeat(Math.max(0, expo));
  const confidence = Number(conf) / Number(price);
  return [{ token, price: price + zeros, priceDecimals: Math.max(0, -expo), time, confidence }];
}
