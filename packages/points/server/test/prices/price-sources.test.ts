import type { Prices } from "@proj/points-client/wire";
import {
  hermesSource,
  jupiterSource,
  type LogEntry,
  Operations,
  type PointsStore,
  type PricesOptions,
  startPrices,
} from "@proj/points-server";
import { waitFor } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { serveStore } from "../http/served-store.ts";
import { databases } from "../storage/temporary-storage.ts";
import { keys, type PriceServices, priceServices } from "./price-services.ts";

const feeds = { SOL: `0x${"ab".repeat(32)}`, ETH: "cd".repeat(32), WIDE: "ef".repeat(32) };
const mints = { SOL: "mint-sol", ETH: "mint-eth", WIDE: "mint-wide", BONK: "mint-bonk" };

interface Round {
  readonly taken: Readonly<Record<string, string>>;
  readonly missing: readonly string[];
}

/** Fetches prices as fast as they are answered. */
function follow(store: PointsStore, { sources, ...told }: PricesOptions) {
  const rounds: Round[] = [];
  const errors: string[] = [];
  const schedule = startPrices(store, {
    ...{ sources, interval_s: 0.02 },
    onPrices: (taken, missing) => {
      rounds.push({ taken: Object.fromEntries(taken), missing });
      told.onPrices?.(taken, missing);
    },
    onError: (error, source) => {
      errors.push(`${source}: ${error}`);
      told.onError?.(error, source);
    },
  });
  /** A whole round that begins after now. */
  const next = async (): Promise<Round | undefined> => {
    const before = rounds.length;
    await waitFor(() => rounds.length > before + 1, "another round");
    return rounds.at(-1);
  };
  return {
    rounds,
    errors,
    next,
    stop: () => schedule.stop(),
    [Symbol.asyncDispose]: schedule.stop,
  };
}

const sourcesOf = ({ url: base_url }: PriceServices) => [
  hermesSource({ base_url, api_key: keys.hermes, tokens: feeds }),
  jupiterSource({ base_url, api_key: keys.jupiter, tokens: mints }),
];

/** SOL is fresh, ETH is stale, WIDE is uncertain; Jupiter has them all. */
async function filledServices(): Promise<PriceServices> {
  const services = await priceServices();
  const put = (id: string, price: string, conf: string, expo: number, age: number) =>
    services.feeds.set(id.replace(/^0x/, ""), { price, conf, expo, age });
  put(feeds.SOL, "15234000000", "1000000", -8, 1);
  put(feeds.ETH, "300000000000", "1000000", -8, 3_600);
  put(feeds.WIDE, "100", "50", 1, 1);
  for (const mint of [mints.SOL, mints.ETH, mints.WIDE]) services.mints.set(mint, 2.5);
  return services;
}

describe.each(databases)("on %s", (database) => {
  test("a price that one source lacks, or has stale or uncertain, is taken from the next", async () => {
    await using services = await filledServices();
    await using served = await serveStore([], { database });
    await using following = follow(served.store, { sources: sourcesOf(services) });
    expect(await following.next()).toEqual({
      taken: { SOL: "hermes", ETH: "jupiter", WIDE: "jupiter" },
      missing: ["BONK"],
    });
    // The second source is asked only for what the first one lacks.
    expect(services.asked.slice(0, 2)).toEqual(["hermes 3", "jupiter 3"]);
    const { data } = (await (await served.ask("/price/main")).json()) as Prices;
    expect(data).toEqual({ SOL: { price: 152.34 }, ETH: { price: 2.5 }, WIDE: { price: 2.5 } });
    expect(following.errors).toEqual([]);

    services.isHermesGone = true;
    services.mints.set(mints.BONK, 0.000_02);
    expect(await following.next()).toEqual({
      taken: { SOL: "jupiter", ETH: "jupiter", WIDE: "jupiter", BONK: "jupiter" },
      missing: [],
    });
    expect(following.errors[0]).toMatch(/^hermes: ApiError: .*503/);
    const { data: later } = (await (await served.ask("/price/main?address=BONK")).json()) as Prices;
    expect(later).toEqual({ BONK: { price: 0.000_02 } });
  });
});

test("after stop, no source is asked again", async () => {
  await using services = await filledServices();
  await using served = await serveStore();
  const following = follow(served.store, { sources: sourcesOf(services) });
  await following.next();
  await following.stop();
  const { length } = services.asked;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(services.asked).toHaveLength(length);
});

test("without its key a source is refused, and the next one is asked", async () => {
  await using services = await filledServices();
  await using served = await serveStore();
  const { url: base_url } = services;
  const [, jupiter = expect.fail()] = sourcesOf(services);
  const sources = [hermesSource({ base_url, tokens: feeds }), jupiter];
  await using following = follow(served.store, { sources });
  expect((await following.next())?.taken).toMatchObject({ SOL: "jupiter" });
  expect(following.errors[0]).toMatch(/^hermes: ApiError: .*401/);
});

test("more tokens than a service takes at once are asked for in several requests", async () => {
  await using services = await priceServices();
  await using served = await serveStore();
  const tokens = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [`T${index}`, String(index).padStart(64, "0")]),
  );
  for (const id of Object.values(tokens)) services.mints.set(id, 3);
  for (const id of Object.values(tokens).slice(0, 60))
    services.feeds.set(id, { price: "2", conf: "0", expo: 0, age: 0 });
  const { url: base_url } = services;
  await using following = follow(served.store, {
    sources: [
      hermesSource({ base_url, api_key: keys.hermes, tokens }),
      jupiterSource({ base_url, api_key: keys.jupiter, tokens }),
    ],
  });
  const round = await following.next();
  expect(following.errors).toEqual([]);
  expect(round).toMatchObject({ taken: { T59: "hermes", T60: "jupiter" }, missing: [] });
  expect(services.asked.slice(0, 5)).toEqual([
    ...["hermes 50", "hermes 50", "hermes 20", "jupiter 50", "jupiter 10"],
  ]);
});

test("a price too small for its decimals, and one from too far in the future, are not stored", async () => {
  await using services = await priceServices();
  await using served = await serveStore([], { program: { clockTolerance: 5 } });
  services.mints.set(mints.BONK, 1e-19);
  services.feeds.set(feeds.ETH, { price: "3000", conf: "1", expo: 0, age: -3_600 });
  await using following = follow(served.store, { sources: sourcesOf(services) });
  expect(await following.next()).toEqual({
    taken: {},
    missing: ["SOL", "ETH", "WIDE", "BONK"],
  });
  expect(following.errors[0]).toMatch(/^hermes: Error: ETH: time \d+ is in the future/);
  expect((await served.store.readPrices()).data).toEqual({});
});

test("failures and missing prices are logged when they change, and counted", async () => {
  await using services = await filledServices();
  await using served = await serveStore();
  const log: LogEntry[] = [];
  const operations = new Operations({ store: served.store, log: (entry) => void log.push(entry) });
  services.mints.set(mints.BONK, 1);
  services.isHermesGone = true;
  const { prices } = operations;
  await using following = follow(served.store, { sources: sourcesOf(services), ...prices });
  await following.next();
  services.mints.delete(mints.ETH);
  await following.next();
  services.mints.set(mints.ETH, 2.5);
  await following.next();
  services.isHermesGone = false;
  await following.next();
  services.isHermesGone = true;
  await following.next();
  expect(log).toEqual([
    expect.objectContaining({ level: "warn", event: "prices_failed", source: "hermes" }),
    { level: "warn", event: "prices_missing", tokens: ["ETH"] },
    { level: "info", event: "prices_missing", tokens: [] },
    expect.objectContaining({ event: "prices_failed", source: "hermes" }),
  ]);
  const metrics = await operations.metrics();
  expect(metrics).toMatch(/^points_prices_total\{source="jupiter",outcome="stored"\} [1-9]/m);
  expect(metrics).toMatch(/^points_prices_total\{source="hermes",outcome="stored"\} [1-9]/m);
  expect(metrics).toMatch(/^points_prices_total\{source="hermes",outcome="failed"\} [1-9]/m);
  expect(metrics).toMatch(/^points_prices_missing 0$/m);
});

test("all tokens of one feed, however it is written, and of one mint get its price", async () => {
  await using services = await filledServices();
  const { url: base_url } = services;
  const feed = { SOL: feeds.SOL, WSOL: feeds.SOL.replace("0x", "").toUpperCase() };
  const mint = { USD: mints.ETH, WUSD: mints.ETH };
  const { signal } = new AbortController();
  for (const source of [
    hermesSource({ base_url, api_key: keys.hermes, tokens: feed }),
    jupiterSource({ base_url, api_key: keys.jupiter, tokens: mint }),
  ]) {
    const prices = await source.read(source.tokens, signal);
    expect(prices.map(({ token }) => token)).toEqual(source.tokens);
    expect(new Set(prices.map(({ price }) => price)).size).toBe(1);
    source.close();
  }
  expect(services.asked).toEqual(["hermes 1", "jupiter 1"]);
});
