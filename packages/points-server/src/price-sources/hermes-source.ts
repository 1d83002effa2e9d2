import { createHttpClient } from "@proj/http-client";
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

/** Pyth's Hermes: `/v2/updates/price/latest` for feeds by id. */
export function hermesSource({ base_url, tokens }: SourceOptions): PriceSource {
  const http = createHttpClient({ baseUrl: base_url, timeoutMs: 10_000, retry: false });
  const byFeed = new Map(Object.entries(tokens).map(([token, id]) => [plain(id), token]));
  return {
    name: "hermes",
    async read(signal) {
      const query = { "ids[]": Object.values(tokens), parsed: true };
      const { body } = await http.request("GET", "/v2/updates/price/latest", { query, signal });
      const { parsed = [] }: { parsed?: readonly HermesPrice[] } = Object(body);
      return parsed.flatMap((update) => sourced(byFeed.get(plain(update.id)), update));
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
