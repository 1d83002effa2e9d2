import { createPointsClient } from "@proj/points-client";
import type { PointsEvent, Program } from "@proj/points-server";
import { openPointsStore, ProgramChangeError } from "@proj/points-server";
import { describe, expect, test } from "vitest";
import { type DatabaseName, databases, temporaryStorage } from "../storage/temporary-storage.ts";
import {
  now,
  problemOf,
  program,
  type ServeOptions,
  serveStore as serve,
  swap,
} from "./served-store.ts";

const opened = (address: string, pool: string, time: number): PointsEvent => ({
  ...{ id: `o-${address}-${pool}`, type: "position_opened", time, address, pool },
  ...{ position: `p-${address}`, liquidity: "5" },
});

const unixTime = (): number => Math.floor(Date.now() / 1_000);

/** The answers of a store whose program changes each time it is opened. */
async function programs(database: DatabaseName, events: readonly PointsEvent[]) {
  const storage = await temporaryStorage(database);
  const open = (change: Partial<Program>) =>
    openPointsStore({
      ...{ db_url: storage.db_url, synchronous: "normal", jobNiceness: 0 },
      program: { ...program, promotedPools: [], ...change },
    });
  const points = async (change: Partial<Program>, recompute = false) => {
    const store = await open(change);
    try {
      if (events.length > 0) await store.ingest(events);
      await store.buildSnapshot({ recompute });
      const query = { ranking: "total", address: null, offset: 0, size: 10 } as const;
      const { leaderboard } = JSON.parse((await store.readPage(query)).body.toString());
      for (const { address, points, lpPoints } of leaderboard) {
        const audited = await store.audit(address);
        expect(audited).toMatchObject({ points, lp_points: lpPoints });
        const ofPools = audited.pools.map(({ points }) => BigInt(points));
        expect(String(ofPools.reduce((sum, points) => sum + points, 0n))).toBe(lpPoints);
      }
      return Object.fromEntries(
        leaderboard.map((record: Record<string, string>) => [record.address, record.points]),
      );
    } finally {
      await store.close();
    }
  };
  return { open, points, [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose]() };
}

describe.each(databases)("on %s", (database) => {
  const serveStore = (events: readonly PointsEvent[], options: ServeOptions) =>
    serve(events, { ...options, database });

  test("changing the program keeps earlier points unless recomputed, and a preview shows what would change", async () => {
    await using changing = await programs(database, [swap("a", 1), swap("b", 2)]);
    expect(await changing.points({})).toEqual({ a: "1000000", b: "2000000" });
    const tripled = { swapMultiplier: "3000000" };
    expect(await changing.points(tripled)).toEqual({ a: "1000000", b: "2000000" });
    const store = await changing.open(tripled);
    expect(await store.previewRecompute()).toEqual({
      ...{ addresses: 2, changed: 2, points_before: "3000000", points_after: "9000000" },
      largest: [
        { address: "b", points_before: "2000000", points_after: "6000000" },
        { address: "a", points_before: "1000000", points_after: "3000000" },
      ],
    });
    await store.close();
    expect(await changing.points(tripled, true)).toEqual({ a: "3000000", b: "6000000" });
    const scaled = await changing.open({ pointsDecimal: 7 });
    await expect(scaled.buildSnapshot()).rejects.toBeInstanceOf(ProgramChangeError);
    await scaled.close();
  });

  test("a pool that is promoted later counts the liquidity already in it, from then on", async () => {
    await using changing = await programs(database, [opened("a", "later", now - 5_000)]);
    expect(await changing.points({})).toEqual({});
    const later = { address: "later", pointsPerSecond: "1000000", startCountTimestamp: "0" };
    const { a } = await changing.points({ promotedPools: [later] });
    expect(BigInt(a)).toBeLessThan(60_000_000n);
    // Removed from the settings again, it keeps what it paid. Rules that change twice in a second paid nothing.
    const removedAfter = unixTime();
    await expect.poll(unixTime).toBeGreaterThan(removedAfter);
    const { a: kept } = await changing.points({});
    expect(BigInt(kept)).toBeGreaterThan(BigInt(a));
  });

  test("pools that have ended and earlier rates are not in the configuration", async () => {
    const start = String(now - 1_000);
    await using served = await serveStore([swap("a", 1)], {
      program: {
        promotedPools: [
          {
            address: "ended",
            pointsPerSecond: "1",
            startCountTimestamp: start,
            endCountTimestamp: String(now - 5),
          },
          { address: "live", pointsPerSecond: "1", startCountTimestamp: start },
        ],
        rateChanges: [
          { startTimestamp: String(now - 9_000), swapMultiplier: "2000000" },
          { startTimestamp: String(now + 9_000), swapMultiplier: "7000000" },
        ],
      },
    });
    expect(await (await served.ask("/api/config")).json()).toMatchObject({
      swapMultiplier: "2000000",
      promotedPools: [{ address: "live", pointsPerSecond: "1", startCountTimestamp: start }],
    });
  });

  test("seasons have rankings of their own", async () => {
    const seasons = [
      { name: "s1", startTimestamp: "0", endTimestamp: String(now - 7_200) },
      { name: "s2", startTimestamp: String(now - 7_200) },
      { name: "s3", startTimestamp: String(now + 7_200) },
    ];
    const early = { ...swap("early", 5), time: now - 10_000 } as PointsEvent;
    await using served = await serveStore([early, swap("a", 1)], { program: { seasons } });
    expect(await (await served.ask("/api/seasons")).json()).toEqual(seasons);
    using client = createPointsClient({ baseUrl: served.url, network: "main", retry: false });
    expect(await client.seasons()).toEqual(seasons);
    const of = async (season?: string) =>
      (await client.leaderboard("swaps", { season })).leaderboard.map(({ address }) => address);
    expect(await of()).toEqual(["early", "a"]);
    expect(await of("s1")).toEqual(["early"]);
    expect(await of("s2")).toEqual(["a"]);
    const pages: unknown[] = [];
    for await (const record of client.ranking("total", { season: "s2" })) pages.push(record);
    expect(pages).toMatchObject([{ address: "a", points: "1000000" }]);
    // The season has not begun.
    await expect(of("s3")).rejects.toMatchObject({ status: 503 });
    const unknown = await problemOf(await served.ask("/api/main/total/null?season=s4"));
    expect(unknown).toMatchObject({ status: 400, detail: expect.stringContaining("not a season") });
  });

  test("with lower case, an address is one user in any spelling", async () => {
    const events = [swap("0xAbC", 1), swap("0xabc", 2)].map((event, index) => ({
      ...{ ...event, id: `fold-${index}` },
      ...("tokenX" in event ? { tokenX: index === 0 ? "x" : "X" } : {}),
    }));
    await using served = await serveStore(events as PointsEvent[], {
      program: { addressCase: "lower" },
    });
    const page = await (await served.ask("/api/main/total/0XABC")).json();
    expect(page).toMatchObject({
      ...{ user: { address: "0xabc", points: "3000000" }, totalItems: 1 },
    });
    expect(await (await served.ask("/api/quest/address/0xABC")).json()).toMatchObject({
      totalPoints: "3000000",
    });
  });
});
