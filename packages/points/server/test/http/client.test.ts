import { createPointsClient, SnapshotGoneError } from "@proj/points-client";
import { describe, expect, test } from "vitest";
import { databases } from "../storage/temporary-storage.ts";
import { servingOn, swap } from "./served-store.ts";

describe.each(databases)("on %s", (database) => {
  const serveStore = servingOn(database);

  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => swap(`m${from + index}`, (index % 7) + 1));

  test("the client reads a whole ranking from one snapshot while others are built", async () => {
    await using served = await serveStore(many(30));
    using client = createPointsClient({ baseUrl: served.url, network: "main" });
    const seen: { address: string; rank: number }[] = [];
    for await (const page of client.rankingPages("total", { pageSize: 12 })) {
      seen.push(...page.leaderboard);
      if (seen.length > 24) continue;
      await served.store.ingest(many(5, 1_000 * seen.length));
      await served.store.buildSnapshot();
    }
    expect(seen.map(({ rank }) => rank)).toEqual(Array.from({ length: 30 }, (_, rank) => rank + 1));
    expect(new Set(seen.map(({ address }) => address)).size).toBe(30);
  });

  test("a snapshot that disappears midway is a clear error", async () => {
    await using served = await serveStore(many(10));
    using client = createPointsClient({ baseUrl: served.url, network: "main" });
    const reading = client.ranking("swaps", { pageSize: 5 });
    await reading.next();
    for (let round = 0; round < 3; round += 1) await served.store.buildSnapshot();
    const rest = (async () => {
      for await (const _ of reading);
    })();
    await expect(rest).rejects.toBeInstanceOf(SnapshotGoneError);
  });

  test("every call of the client works", async () => {
    await using served = await serveStore([swap("a", 10n ** 18n)]);
    using client = createPointsClient({ baseUrl: served.url, network: "main" });
    const { pointsDecimal } = await client.config();
    const { user } = await client.leaderboard("total", { address: "a" });
    expect(client.scaled(user?.points ?? "", pointsDecimal)).toBe(`1${"0".repeat(18)}`);
    expect((await client.leaderboard("lp")).totalItems).toBe(0);
    expect((await client.leaderboard("swaps")).leaderboard).toMatchObject([{ swaps: 1 }]);
    expect(await client.quest("a")).toMatchObject({ completed: true });
    expect(await client.questDescription()).toMatchObject({ questProvider: "Quests" });
    expect(await client.contentProgram("a")).toEqual([]);
    expect(await client.priceFeeds()).toEqual({});
    expect(await client.prices()).toEqual({ data: {}, lastUpdateTimestamp: 0 });
    // Once more: these are answered 304.
    expect((await client.leaderboard("total", { address: "a" })).user).toEqual(user);
  });

  test("as a fallback: the second server has its own prefix, prices come from elsewhere", async () => {
    await using gone = await serveStore([], { ingest_secret: null });
    await using second = await serveStore([swap("a", 1)], { prefix: "points" });
    await gone.store.close();
    using client = createPointsClient({
      ...{ baseUrl: gone.url, network: "main", retry: false },
      fallback: { baseUrl: second.url, priceUrl: second.url },
    });
    expect((await client.leaderboard("total", { address: "a" })).user?.rank).toBe(1);
    expect(await client.prices()).toEqual({ data: {}, lastUpdateTimestamp: 0 });
  });

  test("a refusal carries the server's message", async () => {
    await using served = await serveStore();
    using client = createPointsClient({ baseUrl: served.url, network: "other" });
    await expect(client.prices()).rejects.toMatchObject({
      ...{ status: 400, detail: "'other' is not the network of this server, 'main'." },
    });
  });
});
