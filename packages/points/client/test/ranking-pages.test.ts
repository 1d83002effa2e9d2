import {
  createPointsClient,
  InvalidAnswerError,
  type LpRecord,
  SnapshotGoneError,
} from "@proj/points-client";
import { expect, test } from "vitest";
import { type Answer, json, problem, serve } from "./serve.ts";

const records = (count: number): readonly LpRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ address: `a${index}`, points: "1", last24hPoints: "0", rank: index + 1, positions: 1 },
  }));

/** A service whose newest ranking grows by one record per request; pinned ones stay the same. */
function growing(count: number, most = 1_000): Answer {
  let newest = count;
  return (response, received) => {
    const query = new URL(received.path, "http://x").searchParams;
    const size = Number(query.get("snapshot") ?? newest);
    const offset = Number(query.get("offset"));
    const length = Math.min(most, Number(query.get("size")));
    newest += 1;
    const leaderboard = records(size).slice(offset, offset + length);
    const body = { user: null, leaderboard, totalItems: size };
    json(body, { "x-snapshot": String(size), etag: '"e"' })(response, received);
  };
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}

test("a whole ranking comes from one snapshot, even while it grows", async () => {
  await using service = await serve(growing(10));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  expect(await collect(client.ranking("lp", { pageSize: 4 }))).toEqual(records(10));
  expect(service.paths).toEqual([
    "/api/main/lp/null?offset=0&size=4",
    "/api/main/lp/null?offset=4&size=4&snapshot=10",
    "/api/main/lp/null?offset=8&size=4&snapshot=10",
  ]);
  expect(service.received.every(({ headers }) => !headers["if-none-match"])).toBe(true);
});

test("pages shorter than requested are followed by the rest", async () => {
  await using service = await serve(growing(7, 3));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  const pages = await collect(client.rankingPages("lp"));
  expect(pages.map(({ leaderboard }) => leaderboard.length)).toEqual([3, 3, 1]);
});

test("a snapshot known from earlier can be read completely", async () => {
  await using service = await serve(growing(10));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  expect(await collect(client.ranking("lp", { snapshot: "6" }))).toHaveLength(6);
});

test("an empty ranking has no records", async () => {
  await using service = await serve(json({ user: null, leaderboard: [], totalItems: 0 }));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  expect(await collect(client.ranking("total"))).toEqual([]);
});

test("a snapshot that disappears midway is a clear error", async () => {
  const grow = growing(10);
  await using service = await serve((response, received) =>
    received.path.includes("snapshot=")
      ? problem(410, "gone")(response, received)
      : grow(response, received),
  );
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { address } of client.ranking("lp", { pageSize: 4 })) seen.push(address);
  })();
  await expect(reading).rejects.toBeInstanceOf(SnapshotGoneError);
  await expect(reading).rejects.toMatchObject({
    snapshot: "10",
    message: expect.stringMatching(/'10' is gone; start/),
  });
  expect(seen).toHaveLength(4);
});

test.each([
  ["does not name a snapshot", () => ({}), /does not name a snapshot/],
  [
    "names another one each time",
    (count: number) => ({ "x-snapshot": String(count) }),
    /from snapshot '2' instead of '1'/,
  ],
])("a server that %s is refused", async (_what, headers: (count: number) => object, message) => {
  let count = 0;
  await using service = await serve((response, received) => {
    count += 1;
    const body = { user: null, leaderboard: records(1), totalItems: 5 };
    json(body, { ...headers(count) })(response, received);
  });
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  const reading = collect(client.ranking("lp", { pageSize: 1 }));
  await expect(reading).rejects.toBeInstanceOf(InvalidAnswerError);
  await expect(reading).rejects.toThrow(message);
});

test("a ranking that is shorter than its server says does not loop forever", async () => {
  const body = { user: null, leaderboard: [], totalItems: 5 };
  await using service = await serve(json(body, { "x-snapshot": "s" }));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  const reading = collect(client.ranking("lp"));
  await expect(reading).rejects.toBeInstanceOf(InvalidAnswerError);
  await expect(reading).rejects.toThrow(/ends at 0 of 5 records/);
});
