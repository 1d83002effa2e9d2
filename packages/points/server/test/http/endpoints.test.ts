import { createPointsClient } from "@proj/points-client";
import type { PointsEvent } from "@proj/points-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databases } from "../storage/temporary-storage.ts";
import { now, program, type ServedStore, servingOn, swap } from "./served-store.ts";

describe.each(databases)("on %s", (database) => {
  const serveStore = servingOn(database);

  let served: ServedStore;
  beforeAll(async () => {
    served = await serveStore([
      swap("small", 2),
      swap("large", 10n ** 20n),
      swap("middle", 7),
      { id: "d", type: "domain", time: now - 9, address: "middle", domain: "middle.example" },
      {
        ...{ id: "o", type: "position_opened", time: now - 100, address: "small", pool: "pool" },
        ...{ position: "p1", liquidity: "5" },
      },
      { id: "p1", type: "price", time: now - 60, token: "X", price: "12345", priceDecimals: 2 },
      { id: "p2", type: "price", time: now - 50, token: "Y", price: "1", priceDecimals: 0 },
    ]);
  });
  afterAll(() => served?.[Symbol.asyncDispose]());

  const read = async (path: string): Promise<unknown> => {
    const response = await served.ask(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    return response.json();
  };

  test("/api/config", async () => {
    const config = await read("/api/config");
    expect(config).toEqual({
      refreshTime: 45,
      pointsDecimal: 6,
      promotedPools: program.promotedPools,
      lastSnapTimestamp: expect.any(Number),
      pointsPerUsd: "1000000",
      swapMultiplier: "1000000",
      swapPairs: [{ tokenX: "X", tokenY: "Y" }],
    });
  });

  test("the total ranking", async () => {
    const answer = await read("/api/main/total/middle?offset=0&size=1");
    expect(answer).toEqual({
      user: {
        ...{
          address: "middle",
          points: "7000000",
          last24hPoints: "7000000",
          rank: expect.any(Number),
        },
        ...{ lpPoints: "0", swapPoints: "7000000" },
      },
      leaderboard: [
        {
          ...{ address: "large", points: `1${"0".repeat(26)}`, rank: 1, lpPoints: "0" },
          ...{ last24hPoints: `1${"0".repeat(26)}`, swapPoints: `1${"0".repeat(26)}` },
        },
      ],
      totalItems: 3,
    });
  });

  test("the ranking of liquidity shows positions", async () => {
    const answer = await read("/api/main/lp/null");
    expect(answer).toMatchObject({
      user: null,
      leaderboard: [{ address: "small", rank: 1, positions: 1, points: expect.any(String) }],
      totalItems: 1,
    });
  });

  test("a domain that moved is shown at its last owner only, whatever the case of its letters", async () => {
    const owns = (id: string, address: string, domain: string, time = now - 9): PointsEvent => ({
      ...{ id, type: "domain", time, address, domain },
    });
    const events = [
      ...[swap("first", 3), swap("second", 2), swap("third", 1)],
      owns("1", "first", "moved.example", now - 20),
      owns("2", "second", "Moved.example", now - 10),
      // In the same second, the larger id counts.
      ...[owns("3", "second", "tied.example"), owns("4", "third", "tied.example")],
    ];
    await using served = await serveStore(events, { database });
    const shown = async (): Promise<unknown> => {
      const { body } = await served.store.readPage({
        ...{ ranking: "swaps", address: null, offset: 0, size: 10 },
      });
      return JSON.parse(body.toString()).leaderboard.map(
        (record: { domain?: string }) => record.domain,
      );
    };
    const owner = async (domain: string): Promise<unknown> => {
      const answer = await served.ask(`/api/domain/${domain}`);
      return answer.status === 200 ? Object(await answer.json()).address : answer.status;
    };
    // The second address has taken another one since, so the first is the last that still has it.
    expect(await shown()).toEqual(["moved.example", undefined, "tied.example"]);
    expect([await owner("tied.example"), await owner("TIED.example")]).toEqual(["third", "third"]);
    expect(await owner("moved.example")).toBe("first");
    await served.store.ingest([owns("5", "second", "moved.EXAMPLE")]);
    await served.store.buildSnapshot();
    expect(await shown()).toEqual([undefined, "moved.EXAMPLE", "tied.example"]);
    expect(await owner("MOVED.example")).toBe("second");
  });

  test("the ranking of swaps shows swaps, and a domain if there is one", async () => {
    expect(await read("/api/main/swaps/null")).toMatchObject({
      leaderboard: [
        { address: "large", swaps: 1 },
        { address: "middle", swaps: 1, domain: "middle.example" },
        { address: "small", swaps: 1 },
      ],
      totalItems: 3,
    });
    const { user } = (await read("/api/main/swaps/large")) as { user: object };
    expect(user).not.toHaveProperty("domain");
  });

  test("the quest is completed at the threshold; an unknown address has no points", async () => {
    expect(await read("/api/quest/address/middle")).toEqual({
      ...{ totalPoints: "7000000", completed: true },
    });
    const nobody = { totalPoints: "0", completed: false };
    expect(await read("/api/quest/address/nobody")).toEqual(nobody);
    expect(await read("/api/quest/address/null")).toEqual(nobody);
  });

  test("the quest's description", async () => {
    expect(await read("/api/quest/description")).toEqual({
      questProvider: "Quests",
      questProviderUrl: "https://quests.example/",
    });
  });

  test("price feeds", async () => {
    expect(await read("/api/swap/price-feeds")).toEqual({
      X: { pricePublishTime: now - 60, priceDecimals: 2, price: "12345" },
      Y: { pricePublishTime: now - 50, priceDecimals: 0, price: "1" },
    });
  });

  test.each([
    ["", { X: { price: 123.45 }, Y: { price: 1 } }],
    ["?address=X", { X: { price: 123.45 } }],
    ["?address=Y&address=X&address=unknown", { X: { price: 123.45 }, Y: { price: 1 } }],
    ["?address=unknown", {}],
  ])("/price/main%s", async (query, data) => {
    const answer = await read(`/price/main${query}`);
    expect(answer).toEqual({ data, lastUpdateTimestamp: expect.any(Number) });
  });

  test("a history has the last snapshot of each kept day, and the newest one", async () => {
    const day = 86_400;
    const midnight = Math.floor(now / day) * day;
    const [third, second, first] = [midnight - 3 * day, midnight - day - 1, midnight - 1];
    const at = (id: string, address: string, points: number, time: number) => ({
      ...swap(address, points),
      ...{ id, time },
    });
    await using own = await serveStore(
      [
        at("1", "alice", 1, third - 9),
        at("2", "bob", 2, second - 9),
        at("3", "alice", 4, first - 9),
      ],
      {
        program: { historyDays: 2, refreshTime: 3_600 },
        earlier: [third, second - 60, second, first - 60, first],
      },
    );
    const historyOf = async (address: string) => {
      const response = await own.ask(`/api/history/${address}`);
      expect(response.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
      return response.json();
    };
    const { lastSnapTimestamp } = (await (await own.ask("/api/config")).json()) as {
      readonly lastSnapTimestamp: number;
    };
    // The third one is more than two days old, at any time of day.
    expect(await historyOf("alice")).toEqual([
      { timestamp: second, rank: 2, points: "1000000" },
      { timestamp: first, rank: 1, points: "5000000" },
      { timestamp: lastSnapTimestamp, rank: 1, points: "5000000" },
    ]);
    expect(await historyOf("bob")).toHaveLength(3);
    expect(await historyOf("nobody")).toEqual([]);
    using client = createPointsClient({ baseUrl: own.url, network: "main" });
    expect(await client.history("alice")).toEqual(await historyOf("alice"));
    expect((await served.ask("/api/history/<b>")).status).toBe(400);
  });

  test("the content program of an address without entries is an empty list", async () => {
    expect(await read("/api/content-program/middle")).toEqual([]);
  });

  test("a trailing slash is the same path, and unknown query parameters are ignored", async () => {
    expect(await read("/api/config/?x=1")).toEqual(await read("/api/config"));
  });

  test("with another prefix the API moves there, and prices stay", async () => {
    await using fallback = await serveStore([swap("a", 1)], { prefix: "points" });
    expect((await fallback.ask("/points/main/total/a")).status).toBe(200);
    expect((await fallback.ask("/points/config")).status).toBe(200);
    expect((await fallback.ask("/price/main")).status).toBe(200);
    expect((await fallback.ask("/api/config")).status).toBe(404);
  });
});
