import { createPointsClient } from "@proj/points-client";
import { expect, test } from "vitest";
import { json, serve } from "./serve.ts";

const config = {
  refreshTime: 60,
  pointsDecimal: 6,
  promotedPools: [{ address: "p", pointsPerSecond: "5", startCountTimestamp: "1700000000" }],
  lastSnapTimestamp: 1_700_000_100,
  pointsPerUsd: "1000000",
  swapMultiplier: "100000000000000000000",
  swapPairs: [{ tokenX: "x", tokenY: "y" }],
};
const ranked = { address: "a", points: "9007199254740993", last24hPoints: "1", rank: 7 };

test("config", async () => {
  await using service = await serve(json(config));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  expect(await client.config()).toEqual(config);
  expect(service.paths).toEqual(["/api/config"]);
  expect(client.integer(config.swapMultiplier)).toBe(10n ** 20n);
  expect(client.scaled(config.swapMultiplier, config.pointsDecimal)).toBe("100000000000000");
});

test.each([
  ["total", { ...ranked, lpPoints: "2", swapPoints: "3" }],
  ["lp", { ...ranked, positions: 2 }],
  ["swaps", { ...ranked, swaps: 4, domain: "a.example" }],
  ["swaps", { ...ranked, swaps: 4 }],
] as const)("the ranking %s: %j", async (ranking, record) => {
  const body = { user: record, leaderboard: [record], totalItems: 8 };
  await using service = await serve(json(body, { "x-snapshot": "s1" }));
  using client = createPointsClient({ baseUrl: `${service.url}/`, network: "main" });
  const page = await client.leaderboard(ranking, { address: "a", offset: 6, size: 1 });
  expect(page).toEqual({ ...body, snapshot: "s1", userOffset: 6 });
  expect(service.paths).toEqual([`/api/main/${ranking}/a?offset=6&size=1`]);
});

test("a user's place is known even if others share its rank", async () => {
  const user = { ...ranked, positions: 2 };
  const body = { user, leaderboard: [], totalItems: 99 };
  await using service = await serve(json(body, { "x-user-offset": "57" }));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  expect(await client.leaderboard("lp", { address: "a" })).toMatchObject({ userOffset: 57 });
});

test("without an address there is no user", async () => {
  await using service = await serve(json({ user: null, leaderboard: [], totalItems: 0 }));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  expect(await client.leaderboard("total")).toEqual({
    ...{ user: null, leaderboard: [], totalItems: 0, snapshot: null, userOffset: null },
  });
  expect(service.paths).toEqual(["/api/main/total/null"]);
});

test("a user whose rank is null is unknown, and a missing rank is an invalid answer", async () => {
  const user = { ...ranked, rank: null, lpPoints: "0", swapPoints: "0" };
  const { rank: _, ...unranked } = user;
  const page = { leaderboard: [], totalItems: 0 };
  await using service = await serve((response, received) =>
    json({ ...page, user: received.path.endsWith("/a") ? user : unranked })(response, received),
  );
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  expect((await client.leaderboard("total", { address: "a" })).user).toBeNull();
  await expect(client.leaderboard("total", { address: "b" })).rejects.toThrow(
    "user.rank is not a number",
  );
});

test("the history of an address", async () => {
  const entries = [
    { timestamp: 1_700_000_000, rank: 3, points: "9007199254740993" },
    { timestamp: 1_700_086_400, rank: 2, points: "9007199254740995" },
  ];
  await using service = await serve(json(entries));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  expect(await client.history("a b")).toEqual(entries);
  expect(service.paths).toEqual(["/api/history/a%20b"]);
});

test("quest, and its description", async () => {
  await using service = await serve((response, received) => {
    const isState = received.path.endsWith("/address/a");
    const description = { questProvider: "Q", questProviderUrl: "https://q.example/" };
    json(isState ? { totalPoints: "5", completed: true } : description)(response, received);
  });
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  expect(await client.quest("a")).toEqual({ totalPoints: "5", completed: true });
  const { questProvider } = await client.questDescription();
  expect(questProvider).toBe("Q");
  expect(service.paths).toEqual(["/api/quest/address/a", "/api/quest/description"]);
});

test.each([
  [[{ startTimestamp: 1, endTimestamp: 2, points: 3 }], 1],
  [[], 0],
  [null, 0],
])("content program: %j has %i entries", async (body, entries) => {
  await using service = await serve(json(body));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  expect(await client.contentProgram("a")).toHaveLength(entries);
  expect(service.paths).toEqual(["/api/content-program/a"]);
});

test("price feeds by token, whatever its name", async () => {
  const feed = { pricePublishTime: 5, priceDecimals: 8, price: "123456789012345678901" };
  await using service = await serve((response) => {
    response.setHeader("content-type", "application/json");
    response.end(`{"x":${JSON.stringify(feed)},"__proto__":${JSON.stringify(feed)}}`);
  });
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  const feeds = await client.priceFeeds();
  expect(Object.keys(feeds)).toEqual(["x", "__proto__"]);
  expect(feeds.x).toEqual(feed);
  expect(service.paths).toEqual(["/api/swap/price-feeds"]);
});

test("prices: all, of some tokens, of none", async () => {
  await using service = await serve(json({ data: { x: { price: 1.5 } }, lastUpdateTimestamp: 9 }));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  expect((await client.prices()).data.x).toEqual({ price: 1.5 });
  await client.prices(["x", "y"]);
  expect((await client.prices([])).data).toEqual({});
  expect(service.paths).toEqual(["/price/main", "/price/main?address=x&address=y"]);
});

test("a prefix, and prices at another URL", async () => {
  await using points = await serve(json(config));
  await using prices = await serve(json({ data: {}, lastUpdateTimestamp: 0 }));
  using client = createPointsClient({
    baseUrl: `${points.url}/v2`,
    prefix: "points",
    priceUrl: prices.url,
    network: "main",
  });
  await client.config();
  await client.prices();
  expect(points.paths).toEqual(["/v2/points/config"]);
  expect(prices.paths).toEqual(["/price/main"]);
});

test("an address is one path segment, and an impossible one is refused", async () => {
  await using service = await serve(json({ totalPoints: "0", completed: false }));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  await client.quest("a/b c");
  expect(service.paths).toEqual(["/api/quest/address/a%2Fb%20c"]);
  for (const address of ["", ".", ".."])
    await expect(client.quest(address)).rejects.toThrow(TypeError);
});

test.each([
  [{ baseUrl: "ftp://x", network: "main" }, /baseUrl must be/],
  [{ baseUrl: "http://x", network: ".." }, /network cannot be/],
  [{ baseUrl: "http://x", network: "main", prefix: "/api" }, /prefix must be/],
  [{ baseUrl: "http://x", network: "main", fallback: { baseUrl: "y" } }, /baseUrl must be/],
])("%j is refused as options", (options, message) => {
  expect(() => createPointsClient(options)).toThrow(message);
});
