import type { Ranking } from "@proj/points-client";
import { rankingNames } from "@proj/points-client/wire";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type OpenLedger, openLedger } from "../storage/open-ledger.ts";
import type { RankingRecord } from "../storage/read-rankings.ts";
import { databases } from "../storage/temporary-storage.ts";
import { program, swapsOf } from "./swaps.ts";

const addresses = 350;
const runs = { sqlite: 25, postgres: 5 };

interface Page {
  readonly leaderboard: readonly RankingRecord[];
  readonly user: RankingRecord | null;
  readonly totalItems: number;
  readonly snapshot: string;
}

async function readPage(
  { reader }: OpenLedger,
  ranking: Ranking,
  offset: number,
  size: number,
  pinned: Partial<Record<"snapshot" | "address", string>> = {},
): Promise<Page> {
  const { address = null, ...rest } = pinned;
  const { body, snapshot } = await reader.page({ ranking, address, offset, size, ...rest });
  return { ...JSON.parse(body.toString()), snapshot: snapshot ?? "none" };
}

describe.each(databases)("on %s", (database) => {
  test("pages of one snapshot cover the ranking without repeats or gaps while new ones are built", async () => {
    const walk = fc.record({
      ranking: fc.constantFrom<Ranking>("total", "swaps"),
      sizes: fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1 }),
      // The pages after which a snapshot is built: with two, the first snapshot is still readable.
      builds: fc.uniqueArray(fc.nat(8), { maxLength: 2 }),
    });
    const property = fc.asyncProperty(walk, async ({ ranking, sizes, builds }) => {
      await using ledger = await openLedger(database);
      await ledger.append(swapsOf(addresses));
      const { id: snapshot } = await ledger.snapshot(program, { time: 2_000 });
      const seen: RankingRecord[] = [];
      for (let page = 0; seen.length < addresses; page += 1) {
        const size = sizes[page % sizes.length] ?? 1;
        const { leaderboard, totalItems } = await readPage(ledger, ranking, seen.length, size, {
          snapshot,
        });
        expect(leaderboard).toHaveLength(Math.min(size, addresses - seen.length));
        expect(totalItems).toBe(addresses);
        seen.push(...leaderboard);
        if (!builds.includes(page)) continue;
        await ledger.append(swapsOf(addresses + 50, page + 1));
        await ledger.snapshot(program, { time: 2_000 });
      }
      expect(seen.map(({ rank }) => rank)).toEqual(seen.map((_, index) => index + 1));
      expect(new Set(seen.map(({ address }) => address)).size).toBe(addresses);
      const points = seen.map((record) => Number(record.points));
      expect(points).toEqual(points.toSorted((a, b) => b - a));
    });
    await fc.assert(property, { numRuns: runs[database], endOnFailure: database === "postgres" });
  });

  test("an answer is from one snapshot, even if others are built while it is read", async () => {
    await using ledger = await openLedger(database);
    const sizes = new Map<string, number>();
    const build = async (round: number): Promise<void> => {
      // Each snapshot has more addresses, and all of them have other points.
      await ledger.append(swapsOf(addresses + 10 * round, round));
      const { id } = await ledger.snapshot(program, { time: 2_000 });
      sizes.set(id, addresses + 10 * round);
    };
    await build(0);
    let isBuilding = true;
    const building = (async () => {
      for (let round = 1; round <= 8; round += 1) await build(round);
      isBuilding = false;
    })();
    const pages: Page[] = [];
    for (let turn = 0; isBuilding || turn < 20; turn += 1) {
      const address = `a${turn % addresses}`;
      const page = await readPage(ledger, "total", (turn * 37) % 300, 120, { address });
      pages.push(page);
      const { leaderboard, user } = page;
      expect(leaderboard.map(({ rank }) => rank)).toEqual(
        leaderboard.map((_, index) => ((turn * 37) % 300) + index + 1),
      );
      expect(user?.address).toBe(address);
      const twice = leaderboard.find((record) => record.address === address);
      if (twice !== undefined) expect(twice).toEqual(user);
      // Let the others run between two reads.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await building;
    for (const { snapshot, totalItems } of pages) expect(totalItems).toBe(sizes.get(snapshot));
    expect(new Set(pages.map(({ snapshot }) => snapshot)).size).toBeGreaterThan(1);
  });

  test("every rank has the same record on a page and as the user's own", async () => {
    await using ledger = await openLedger(database);
    await ledger.append(swapsOf(250));
    await ledger.snapshot(program, { time: 2_000 });
    for (const ranking of rankingNames.filter((name) => name !== "lp")) {
      const { leaderboard } = await readPage(ledger, ranking, 0, 1000);
      for (const record of leaderboard.slice(0, 20).concat(leaderboard.slice(-20))) {
        const { address, rank } = record;
        const alone = await readPage(ledger, ranking, rank - 1, 1, { address });
        expect(alone).toMatchObject({ user: record, leaderboard: [record] });
        const elsewhere = await readPage(ledger, ranking, 1000, 5, { address });
        expect(elsewhere).toMatchObject({ user: record, leaderboard: [] });
      }
    }
  });
});
