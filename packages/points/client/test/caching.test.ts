import { createPointsClient } from "@proj/points-client";
import { expect, test } from "vitest";
import { type Answer, json, serve } from "./serve.ts";

const page = (totalItems: number) => ({ user: null, leaderboard: [], totalItems });

/** Answers 304 to a caller that has the newest version. */
const versioned =
  (newest: () => { etag: string; body: unknown; snapshot: string }): Answer =>
  (response, received) => {
    const { etag, body, snapshot } = newest();
    if (received.headers["if-none-match"] === etag) {
      response.writeHead(304, { etag, "x-snapshot": snapshot });
      response.end();
    } else json(body, { etag, "x-snapshot": snapshot })(response, received);
  };

test("an unchanged answer is not sent again, and a changed one is noticed", async () => {
  let newest = { etag: '"1"', body: page(1), snapshot: "s1" };
  await using service = await serve(versioned(() => newest));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  const first = await client.leaderboard("total");
  expect(await client.leaderboard("total")).toEqual(first);
  expect(first).toMatchObject({ totalItems: 1, snapshot: "s1" });
  newest = { etag: '"2"', body: page(2), snapshot: "s2" };
  expect(await client.leaderboard("total")).toMatchObject({ totalItems: 2, snapshot: "s2" });
  expect(service.received.map(({ headers }) => headers["if-none-match"])).toEqual([
    ...[undefined, '"1"', '"1"'],
  ]);
});

test("changing a returned answer does not affect later ones", async () => {
  const newest = { etag: '"1"', body: page(1), snapshot: "s1" };
  await using service = await serve(versioned(() => newest));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  Object.assign(await client.leaderboard("total"), { totalItems: 99 });
  expect(await client.leaderboard("total")).toMatchObject({ totalItems: 1 });
});

test("an unchanged page reports the snapshot that it is in now", async () => {
  let newest = { etag: '"1"', body: page(1), snapshot: "s1" };
  await using service = await serve(versioned(() => newest));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  await client.leaderboard("total");
  newest = { ...newest, snapshot: "s2" };
  expect(await client.leaderboard("total")).toMatchObject({ totalItems: 1, snapshot: "s2" });
});

test("different queries have different answers", async () => {
  await using service = await serve((response, received) =>
    json(page(received.path.includes("size=5") ? 5 : 1), { etag: '"same"' })(response, received),
  );
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  await client.leaderboard("total");
  expect(await client.leaderboard("total", { size: 5 })).toMatchObject({ totalItems: 5 });
  expect(service.received[1]?.headers["if-none-match"]).toBeUndefined();
});

test.each([
  [2, ['"a"', undefined, '"a"', undefined]],
  [0, [undefined, undefined, undefined, undefined]],
])("the %i most recently used answers are cached", async (cacheEntries, expected) => {
  await using service = await serve((response, received) => {
    const etag = `"${received.path.at(-1)}"`;
    json({ totalPoints: "1", completed: true }, { etag })(response, received);
  });
  using client = createPointsClient({ baseUrl: service.url, network: "main", cacheEntries });
  for (const address of ["a", "b", "a", "c", "a", "b"]) await client.quest(address);
  expect(service.received.slice(2).map(({ headers }) => headers["if-none-match"])).toEqual(
    expected,
  );
});
