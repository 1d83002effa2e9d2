import { ImportError } from "@proj/points-server";
import { describe, expect, test } from "vitest";
import { swap, swapsOf } from "../snapshots/swaps.ts";
import { databases } from "../storage/temporary-storage.ts";
import { counts, importingStore } from "./importing-store.ts";

const future = Math.floor(Date.now() / 1_000) + 3_600;
const good = swap("good", "alice", 5);
const header = "id,type,time,address,tokenX,tokenY,usdValue,pool,position,liquidity";

describe.each(databases)("on %s", (database) => {
  test("bad lines are reported by number, and with skip the rest is imported", async () => {
    await using importing = await importingStore(database);
    const file = await importing.file("events.jsonl", [
      good,
      "",
      "{",
      { ...good, id: "later", time: future },
      swap("last", "bob", 2),
    ]);
    const report = await importing.store.importFile(file, { onError: "skip" });
    expect(counts(report)).toEqual({ lines: 4, stored: 2, repeated: 0, refused: 2 });
    expect(report.errors).toEqual([
      { line: 3, id: null, message: expect.stringContaining("not valid JSON") },
      { line: 4, id: "later", message: expect.stringContaining("is in the future") },
    ]);
    expect(await importing.points()).toEqual({ alice: "5", bob: "2" });
  });

  test("by default one bad line refuses the whole file, and nothing is stored", async () => {
    await using importing = await importingStore(database);
    const file = await importing.file("events.jsonl", [good, { ...good, id: "2", usdValue: "-1" }]);
    const error: unknown = await importing.store.importFile(file).catch((reason) => reason);
    if (!(error instanceof ImportError)) throw error;
    expect(counts(error.report)).toEqual({ lines: 2, stored: 0, repeated: 0, refused: 1 });
    expect(error.message).toContain("line 2: usdValue must be");
    expect(await importing.points()).toEqual({});
  });

  test("importing a file again, with more in it, counts each event once", async () => {
    await using importing = await importingStore(database);
    const events = swapsOf(1_200);
    const half = await importing.file("half.jsonl", events.slice(0, 700));
    const all = await importing.file("all.jsonl", [...events, ...events.slice(0, 100)]);
    expect(counts(await importing.store.importFile(half))).toMatchObject({ stored: 700 });
    const again = await importing.store.importFile(all);
    expect(counts(again)).toEqual({ lines: 1_300, stored: 500, repeated: 800, refused: 0 });
    expect(Object.keys(await importing.points())).toHaveLength(1_000);
  });

  test("CSV: members by the header's names, quotes, a byte order mark, line numbers", async () => {
    await using importing = await importingStore(database);
    const file = await importing.file("events.csv", [
      `\uFEFF${header}`,
      '"a ""b"", c",swap,1000,alice,X,Y,5000000,,,',
      "2,swap,1000,alice,X,Y,5.5,,,",
      "3,swap,soon,alice,X,Y,5,,,",
      "4,position_opened,1000,carol,,,,pool-1,p,12",
      "5,swap,1000,alice",
      '6,swap,1000,al"ice,X,Y,5,,,',
      "",
      "7,swap,1000,bob,Y,X,3000000,,,",
    ]);
    const report = await importing.store.importFile(file, { onError: "skip" });
    expect(counts(report)).toEqual({ lines: 7, stored: 3, repeated: 0, refused: 4 });
    expect(report.errors.map(({ line, id }) => [line, id])).toEqual([
      ...[
        [3, "2"],
        [4, "3"],
        [6, null],
        [7, null],
      ],
    ]);
    expect(await importing.points()).toEqual({ alice: "5", bob: "3" });
  });

  test("progress is reported batch by batch", async () => {
    await using importing = await importingStore(database);
    const file = await importing.file("events.jsonl", swapsOf(50_500));
    const stored: number[] = [];
    const onProgress = (report: { stored: number }): void => void stored.push(report.stored);
    await importing.store.importFile(file, { onProgress });
    expect(stored.length).toBeGreaterThan(1);
    expect(stored).toEqual(stored.toSorted((a, b) => a - b));
    expect(stored.at(-1)).toBe(50_500);
  });

  test("an aborted import keeps what it reported as stored", async () => {
    await using importing = await importingStore(database);
    const file = await importing.file("events.jsonl", swapsOf(80_000));
    const abort = new AbortController();
    let told = 0;
    const importFile = importing.store.importFile(file, {
      ...{ onError: "skip", signal: abort.signal },
      onProgress: ({ stored }) => {
        told = stored;
        abort.abort(new Error("enough"));
      },
    });
    await expect(importFile).rejects.toThrow("enough");
    expect(told).toBeGreaterThan(0);
    const { stored, repeated } = await importing.store.importFile(file);
    expect(repeated).toBeGreaterThanOrEqual(told);
    expect(stored + repeated).toBe(80_000);
  });

  test("the content program is replaced as a whole or not at all", async () => {
    await using importing = await importingStore(database);
    const { store } = importing;
    const entry = { startTimestamp: 1, endTimestamp: 2, points: 3 };
    const first = await importing.file("first.jsonl", [{ address: "alice", ...entry }]);
    expect(await store.importContent(first)).toEqual({ entries: 1 });
    const bad = await importing.file("bad.csv", [
      "address,startTimestamp,endTimestamp,points",
      "bob,1,2,3",
      "bob,2,1,3",
      "b b,1,2,3",
      "bob,1,2,-3",
    ]);
    const error: unknown = await store.importContent(bad).catch((reason) => reason);
    if (!(error instanceof ImportError)) throw error;
    expect(error.report.errors.map(({ line }) => line)).toEqual([3, 4, 5]);
    expect(await store.readContent("alice")).toEqual([entry]);
    expect(await store.readContent("bob")).toEqual([]);
    const second = await importing.file("second.csv", [
      "points,address,endTimestamp,startTimestamp",
      "9,bob,8,7",
      "1,bob,2,1",
    ]);
    expect(await store.importContent(second)).toEqual({ entries: 2 });
    expect(await store.readContent("alice")).toEqual([]);
    expect(await store.readContent("bob")).toEqual([
      { startTimestamp: 1, endTimestamp: 2, points: 1 },
      { startTimestamp: 7, endTimestamp: 8, points: 9 },
    ]);
  });

  test("a missing file is an error that names it", async () => {
    await using importing = await importingStore(database);
    const importFile = importing.store.importFile("/nowhere/events.jsonl");
    await expect(importFile).rejects.toThrow(/nowhere\/events\.jsonl/);
  });
});
