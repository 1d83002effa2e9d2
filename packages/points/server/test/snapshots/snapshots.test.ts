import { describe, expect, test } from "vitest";
import { BlockWriter } from "../../src/snapshots/block-writer.ts";
import { deleteWithdrawn } from "../../src/snapshots/delete-withdrawn.ts";
import { SnapshotBuild } from "../../src/snapshots/snapshot-build.ts";
import { SnapshotGoneError } from "../../src/snapshots/snapshot-gone-error.ts";
import { SnapshotSupersededError } from "../../src/snapshots/snapshot-superseded-error.ts";
import { type OpenLedger, openLedger } from "../storage/open-ledger.ts";
import { readRanking } from "../storage/read-rankings.ts";
import { databases } from "../storage/temporary-storage.ts";
import { program, swap, swapsOf } from "./swaps.ts";

const never = new AbortController().signal;
const day = 86_400;

const begin = ({ database }: OpenLedger, time: number) =>
  SnapshotBuild.begin(database, new BlockWriter(database), { time, season: "", rules: "" }, never);
const page = (ledger: OpenLedger, snapshot: string) =>
  ledger.reader.page({ ranking: "total", address: null, offset: 0, size: 10, snapshot });

describe.each(databases)("on %s", (database) => {
  test("the last three snapshots are kept, and nothing remains of older ones", async () => {
    await using ledger = await openLedger(database);
    await ledger.append(swapsOf(250));
    const ids: string[] = [];
    for (let time = day + 2_000; time < day + 2_005; time += 1) {
      const { id } = await ledger.snapshot(program, { time });
      expect((await page(ledger, id)).snapshot).toBe(id);
      ids.push(id);
    }
    for (const id of ids.slice(0, 2)) {
      await expect(page(ledger, id)).rejects.toBeInstanceOf(SnapshotGoneError);
    }
    for (const id of ids.slice(2)) expect((await page(ledger, id)).snapshot).toBe(id);
    expect(await ledger.count("snapshots")).toBe(3);
    // Two rankings of ten blocks each, and ten blocks of standings.
    expect(await ledger.count("ranking_blocks")).toBe(3 * 20);
    expect(await ledger.count("standing_blocks")).toBe(3 * 10);
    // The first snapshot's sums up to its last 24 hours are the base of all.
    expect(await ledger.count("base_blocks")).toBe(3);
  });

  test("a snapshot of another database with the same time is not mistaken for this one's", async () => {
    await using ledger = await openLedger(database);
    await using other = await openLedger(database);
    for (const each of [ledger, other]) await each.append([swap("1", "alice", 5)]);
    const { id } = await ledger.snapshot(program, { time: 2_000 });
    const { id: otherId } = await other.snapshot(program, { time: 2_000 });
    expect(otherId).not.toBe(id);
    expect(otherId.split("-")[0]).toBe(id.split("-")[0]);
    await expect(page(ledger, otherId)).rejects.toBeInstanceOf(SnapshotGoneError);
    for (const name of [
      "2000",
      `${id}0`,
      id.toUpperCase().replace("-", "+"),
      "0-0000000000000000",
      "",
    ]) {
      await expect(page(ledger, name)).rejects.toBeInstanceOf(SnapshotGoneError);
    }
  });

  test("a snapshot cannot be read before it is complete", async () => {
    await using ledger = await openLedger(database);
    await ledger.append([swap("1", "alice", 5)]);
    const { id } = await ledger.snapshot(program, { time: 2_000 });
    const build = await begin(ledger, 3_000);
    await build.writeRanking(0, ["bob 1 1 0 1"]);
    expect((await ledger.reader.newest())?.id).toBe(id);
    expect(await readRanking(ledger.reader, "total")).toMatchObject([{ address: "alice" }]);
  });

  test("the next snapshot abandons one that died half-way, and deletes all of it", async () => {
    await using ledger = await openLedger(database);
    await ledger.append([swap("1", "alice", 5)]);
    const dead = await begin(ledger, 2_000);
    await dead.writeRanking(
      0,
      Array.from({ length: 100 }, () => "bob 1 1 0 1"),
    );
    await dead.writeBase(0, [["bob", 1, "1"]]);
    await ledger.snapshot(program, { time: 2_001 });
    expect(await readRanking(ledger.reader, "total")).toMatchObject([
      { address: "alice", rank: 1 },
    ]);
    expect(await ledger.count("snapshots")).toBe(1);
    expect(await ledger.count("ranking_blocks")).toBe(2);
    expect(await ledger.count("base_blocks")).toBe(1);
    const counts = { total: 1, lp: 0, swaps: 1, standingBlocks: 1 };
    await expect(dead.publish(counts, null)).rejects.toBeInstanceOf(SnapshotSupersededError);
    await expect(dead.writeRanking(0, ["x 1 1 0 1"])).rejects.toBeInstanceOf(
      SnapshotSupersededError,
    );
  });

  test("an aborted snapshot changes nothing that is read, and is deleted later", async () => {
    await using ledger = await openLedger(database);
    await ledger.append(swapsOf(20));
    const { id } = await ledger.snapshot(program, { time: 2_000 });
    const aborted = AbortSignal.abort(new Error("enough"));
    await expect(ledger.snapshot(program, { signal: aborted })).rejects.toThrow("enough");
    expect((await ledger.reader.newest())?.id).toBe(id);
    await ledger.snapshot(program, { time: 2_001 });
    await deleteWithdrawn(ledger.database, never);
    expect(await ledger.count("snapshots")).toBe(2);
  });

  test("the last 24 hours are a window that moves with the time of the snapshot", async () => {
    await using ledger = await openLedger(database);
    await ledger.append([swap("1", "alice", 5, 1_000), swap("2", "alice", 7, 2_000)]);
    const recent = async (time: number): Promise<unknown> => {
      await ledger.snapshot(program, { time });
      const [record] = await readRanking(ledger.reader, "total");
      return record?.last24hPoints;
    };
    expect(await recent(1_500)).toBe("5");
    expect(await recent(2_000)).toBe("12");
    expect(await recent(day + 999)).toBe("12");
    expect(await recent(day + 1_000)).toBe("7");
    expect(await recent(day + 2_000)).toBe("0");
  });

  test("liquidity is shared by amount and time; while there is none, nothing is earned", async () => {
    await using ledger = await openLedger(database);
    const pool = { address: "pool", pointsPerSecond: "10", startCountTimestamp: "100" };
    const promoted = { ...program, promotedPools: [pool] };
    const at = { type: "position_opened", pool: "pool" } as const;
    await ledger.append([
      { ...at, id: "1", time: 90, address: "alice", position: "p", liquidity: "1" },
      { ...at, id: "2", time: 110, address: "bob", position: "q", liquidity: "3" },
      {
        id: "3",
        type: "position_closed",
        time: 120,
        pool: "pool",
        address: "alice",
        position: "p",
      },
      { id: "4", type: "position_closed", time: 130, pool: "pool", address: "bob", position: "q" },
    ]);
    await ledger.snapshot(promoted, { time: 1_000 });
    // Alice alone for 10 s, a quarter for 10 s; Bob three quarters for 10 s, then alone for 10 s.
    expect(await readRanking(ledger.reader, "lp")).toMatchObject([
      { address: "bob", points: "175", positions: 0 },
      { address: "alice", points: "125", positions: 0 },
    ]);
  });

  test("amounts beyond 2^53 are exact in sums, products and rankings", async () => {
    await using ledger = await openLedger(database);
    const large = 2n ** 128n - 1n;
    const exact = { ...program, pointsPerUsd: "1000000", swapMultiplier: "1" };
    const usd = (id: string, address: string, usdValue: bigint) => ({
      ...swap(id, address, 0),
      usdValue: String(usdValue),
    });
    await ledger.append([
      usd("1", "less", large - 1n),
      usd("2", "more", large),
      usd("3", "twice", large),
      usd("4", "twice", large),
    ]);
    await ledger.snapshot(exact, { time: 2_000 });
    expect(await readRanking(ledger.reader, "swaps")).toMatchObject([
      { address: "twice", points: String(2n * large) },
      { address: "more", points: String(large) },
      { address: "less", points: String(large - 1n) },
    ]);
  });
});
