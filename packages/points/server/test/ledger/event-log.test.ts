import type { PointsEvent } from "@proj/points-server";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PriceReader } from "../../src/prices/price-reader.ts";
import { program, swap, swapsOf } from "../snapshots/swaps.ts";
import { openLedger } from "../storage/open-ledger.ts";
import { readRanking } from "../storage/read-rankings.ts";
import { databases } from "../storage/temporary-storage.ts";

const runs = { sqlite: 30, postgres: 4 };

const price = (id: string, time: number, amount: string): PointsEvent => ({
  ...{ type: "price", id, time, token: "X", price: amount, priceDecimals: 2 },
});
const domain = (id: string, time: number, name: string): PointsEvent => ({
  ...{ type: "domain", id, time, address: "alice", domain: name },
});

describe.each(databases)("on %s", (database) => {
  test("an id counts once: in one list, in a later one, and with other content", async () => {
    await using ledger = await openLedger(database);
    const first = swap("1", "alice", 5);
    expect(await ledger.append([first, first, swap("2", "bob", 3)])).toBe(2);
    expect(await ledger.append([swap("1", "mallory", 1_000), first, swap("3", "bob", 3)])).toBe(1);
    await ledger.snapshot(program, { time: 2_000 });
    expect(await readRanking(ledger.reader, "swaps")).toMatchObject([
      { address: "bob", points: "6", swaps: 2 },
      { address: "alice", points: "5", swaps: 1 },
    ]);
  });

  test("concurrent lists of several writers are all stored, each event once", async () => {
    await using ledger = await openLedger(database);
    const events = swapsOf(600);
    const lists = [
      events.slice(0, 300),
      events.slice(200, 500),
      events.slice(400),
      events.slice(0, 50),
    ];
    const stored = await Promise.all(lists.map((list) => ledger.append(list)));
    expect(stored.reduce((sum, count) => sum + count, 0)).toBe(600);
    expect(await ledger.count("events")).toBe(600);
  });

  test("the newest price and domain count, in any order of arrival", async () => {
    const versions = [10, 20, 20, 30, 30].flatMap((time, index) => [
      price(`p${index}`, time, String(100 + index)),
      domain(`d${index}`, time, `${index}.example`),
    ]);
    const property = fc.asyncProperty(
      fc.shuffledSubarray(versions, { minLength: versions.length }),
      fc.nat(versions.length),
      async (events, half) => {
        await using ledger = await openLedger(database);
        await ledger.append([swap("s", "alice", 1), ...events.slice(0, half)]);
        await ledger.append(events.slice(half));
        // Repeated events change nothing.
        expect(await ledger.append(events)).toBe(0);
        expect(await new PriceReader(ledger.database).feeds()).toEqual({
          X: { price: "104", priceDecimals: 2, pricePublishTime: 30 },
        });
        await ledger.snapshot(program, { time: 2_000 });
        expect(await readRanking(ledger.reader, "swaps")).toMatchObject([{ domain: "4.example" }]);
      },
    );
    await fc.assert(property, { numRuns: runs[database], endOnFailure: database === "postgres" });
  });

  test("an empty list stores nothing", async () => {
    await using ledger = await openLedger(database);
    expect(await ledger.append([])).toBe(0);
  });

  test("a late event is in the next snapshot, even if a base covers its time", async () => {
    await using ledger = await openLedger(database);
    const now = 1_000_000;
    const long = { time: now, eventsPerBase: 0 };
    await ledger.append([swap("1", "alice", 5, 1_000)]);
    await ledger.snapshot(program, long);
    expect(await ledger.count("base_blocks")).toBe(1);
    await ledger.append([swap("2", "alice", 7, 500), swap("3", "bob", 1, now - 5)]);
    await ledger.snapshot(program, { ...long, time: now + 60 });
    expect(await readRanking(ledger.reader, "swaps")).toMatchObject([
      { address: "alice", points: "12", last24hPoints: "0", swaps: 2 },
      { address: "bob", points: "1", last24hPoints: "1", swaps: 1 },
    ]);
  });

  test("rules that are valid from the beginning apply to all events", async () => {
    await using ledger = await openLedger(database);
    const long = { time: 1_000_000 };
    await ledger.append([swap("1", "alice", 5)]);
    await ledger.snapshot({ ...program, swapPairs: [] }, long);
    expect(await readRanking(ledger.reader, "swaps")).toEqual([]);
    await ledger.snapshot({ ...program, pointsPerUsd: "3" }, long);
    expect(await readRanking(ledger.reader, "swaps")).toMatchObject([{ points: "15" }]);
  });
});
