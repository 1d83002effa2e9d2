import { createPointsClient } from "@proj/points-client";
import { describe, expect, test } from "vitest";
import { now, serveStore, swap } from "../http/served-store.ts";
import { databases } from "../storage/temporary-storage.ts";

const day = 86_400;
/** Three with more points, 60 with equal ones, which need several blocks, and two with fewer. */
const equal = Array.from({ length: 60 }, (_, index) => `b${String(index).padStart(2, "0")}`);
const events = [
  ...[swap("a1", 9), swap("a2", 8), swap("a3", 8)],
  ...equal.map((address) => swap(address, 5)),
  ...[swap("c1", 2), swap("c2", 1)],
];
const order = ["a1", "a2", "a3", ...equal, "c1", "c2"];
const ranks = [1, 2, 2, ...equal.map(() => 4), 64, 65];
const shared = { ranking: { ties: "shared" as const } };

describe.each(databases)("on %s", (database) => {
  test("equal points share the first one's rank, on pages of any size and as the user's own", async () => {
    await using served = await serveStore(events, { database, program: shared });
    using client = createPointsClient({ baseUrl: served.url, network: "main" });
    for (const ranking of ["total", "swaps"] as const)
      for (const pageSize of [1, 7, 25, 1_000]) {
        const seen: [string, number][] = [];
        for await (const { address, rank } of client.ranking(ranking, { pageSize }))
          seen.push([address, rank]);
        expect(seen).toEqual(order.map((address, index) => [address, ranks[index]]));
      }
    for (const [index, address] of order.entries()) {
      const { user, userOffset, leaderboard } = await client.leaderboard("total", {
        ...{ address, offset: index, size: 1 },
      });
      expect([user?.rank, userOffset]).toEqual([ranks[index], index]);
      expect(leaderboard).toEqual([user]);
    }
  });

  test("history has the shared ranks of its days; without the setting each address has its own", async () => {
    const old = events.map((event) => ({ ...event, time: now - 2 * day }));
    const options = { database, earlier: [now - day] };
    await using served = await serveStore(old, { ...options, program: shared });
    const ranksOf = async (address: string, { store } = served): Promise<readonly number[]> =>
      (await store.readHistory(address)).map(({ rank }) => rank);
    expect(await ranksOf("b59")).toEqual([4, 4]);
    expect(await ranksOf("c1")).toEqual([64, 64]);
    await using ordered = await serveStore(old, options);
    expect(await ranksOf("b59", ordered)).toEqual([63, 63]);
  });

  test("a pinned snapshot keeps its ranks", async () => {
    await using served = await serveStore(events, { database, program: shared });
    const query = { ranking: "total", address: null, offset: 60, size: 2 } as const;
    const before = await served.store.readPage(query);
    await served.store.ingest([swap("new", 1)]);
    await served.store.buildSnapshot();
    const pinned = await served.store.readPage({ ...query, snapshot: before.snapshot });
    expect(String(pinned.body)).toBe(String(before.body));
    expect(String(pinned.body)).toContain('"rank":4,');
  });
});
