import { createServer } from "node:http";
import { listen } from "@proj/test-kit";

export interface HermesFeed {
  readonly price: string;
  readonly conf: string;
  readonly expo: number;
  /** Seconds since it was published; negative: the publisher's clock is ahead. */
  readonly age: number;
}

export interface PriceServices extends AsyncDisposable {
  readonly url: string;
  /** Paths of the requests, each with the number of its ids. */
  readonly asked: string[];
  /** By id, without `0x`. */
  readonly feeds: Map<string, HermesFeed>;
  /** US dollars by mint. */
  readonly mints: Map<string, number>;
  /** Answers 503 for Hermes. */
  isHermesGone: boolean;
}

export const keys = { hermes: "hermes-key", jupiter: "jupiter-key" };

/** Pyth's Hermes and Jupiter's price API on one port, with their keys, limits and errors. */
export async function priceServices(): Promise<PriceServices> {
  const feeds = new Map<string, HermesFeed>();
  const mints = new Map<string, number>();
  const asked: string[] = [];
  const answers: Readonly<Record<string, Answer>> = {
    "/v2/updates/price/latest": ({ searchParams: query }, header) => {
      const ids = query.getAll("ids[]").map((id) => id.replace(/^0x/, ""));
      asked.push(`hermes ${ids.length}`);
      if (services.isHermesGone) return [503, null];
      if (header("authorization") !== `Bearer ${keys.hermes}`) return [401, null];
      const known = ids.filter((id) => feeds.has(id));
      if (known.length < ids.length && query.get("ignore_invalid_price_ids") !== "true")
        return [404, "Price ids not found"];
      const now = Math.floor(Date.now() / 1_000);
      const parsed = known.map((id) => {
        const { age = 0, ...price } = feeds.get(id) ?? {};
        return { id, price: { ...price, publish_time: now - age } };
      });
      return [200, { binary: { encoding: "hex", data: [] }, parsed }];
    },
    "/price/v3": ({ searchParams: query }, header) => {
      const ids = (query.get("ids") ?? "").split(",");
      asked.push(`jupiter ${ids.length}`);
      if (header("x-api-key") !== keys.jupiter) return [401, null];
      if (ids.length > 50) return [400, { message: "too many ids" }];
      const known = ids.filter((id) => mints.has(id));
      return [200, Object.fromEntries(known.map((id) => [id, { usdPrice: mints.get(id) }]))];
    },
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    const header = (name: string) => request.headers[name];
    const [status, body] = answers[url.pathname]?.(url, header) ?? [404, null];
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  const listening = await listen(server);
  const services: PriceServices = {
    ...{ url: listening.url, asked, feeds, mints, isHermesGone: false },
    [Symbol.asyncDispose]: () => listening.close(),
  };
  return services;
}

type Answer = (url: URL, header: (name: string) => unknown) => [status: number, body: unknown];
