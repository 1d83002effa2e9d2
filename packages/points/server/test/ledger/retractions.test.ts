import type { PointsEvent } from "@proj/points-server";
import { describe, expect, test } from "vitest";
import { PriceReader } from "../../src/prices/price-reader.ts";
import { importingStore } from "../ingest/importing-store.ts";
import { program, swap } from "../snapshots/swaps.ts";
import { type OpenLedger, openLedger } from "../storage/open-ledger.ts";
import { readRanking } from "../storage/read-rankings.ts";
import { databases } from "../storage/temporary-storage.ts";

const price = (id: string, time: number, token: string, amount: string): PointsEvent => ({
  ...{ type: "price", id, time, token, price: amount, priceDecimals: 0 },
});
const domain = (id: string, time: number, name: string): PointsEvent => ({
  ...{ type: "domain", id, time, address: "alice", domain: name },
});
const retract = (target: string): PointsEvent => ({
  ...{ type: "retract", id: `retract ${target}`, time: 1_000, target },
});

const feeds = (ledger: OpenLedger) => new PriceReader(ledger.database).feeds();

describe.each(databases)("on %s", (database) => {
  test("an id counts once, whatever the type of its events", async () => {
    await using ledger = await openLedger(database);
    expect(await ledger.append([price("1", 10, "A", "5"), price("1", 10, "B", "7")])).toBe(1);
    expect(await ledger.append([price("1", 20, "A", "9"), domain("1", 5, "one.example")])).toBe(0);
    expect(await ledger.append([swap("1", "alice", 3), retract("none"), retract("none")])).toBe(1);
    const [token] = Object.keys(await feeds(ledger));
    expect(Object.values(await feeds(ledger))).toHaveLength(1);
    expect((await feeds(ledger))[token ?? ""]).toMatchObject({ pricePublishTime: 10 });
  });

  test("a retracted event does not count, whether it or its retraction arrived first", async () => {
    await using ledger = await openLedger(database);
    await ledger.append([swap("1", "alice", 5), swap("2", "alice", 7)]);
    await ledger.append([retract("2"), retract("3")]);
    await ledger.append([swap("3", "alice", 11), swap("4", "alice", 13)]);
    await ledger.snapshot(program, { time: 2_000 });
    expect(await readRanking(ledger.reader, "swaps")).toMatchObject([{ points: "18", swaps: 2 }]);
    // Nor does it when it is sent again.
    expect(await ledger.append([swap("2", "alice", 7), swap("3", "alice", 11)])).toBe(0);
    await ledger.snapshot(program, { time: 2_001 });
    expect(await readRanking(ledger.reader, "swaps")).toMatchObject([{ points: "18" }]);
  });

  test("an event that a base includes can be retracted", async () => {
    await using ledger = await openLedger(database);
    const long = { time: 1_000_000, eventsPerBase: 0 };
    await ledger.append([swap("1", "alice", 5), swap("2", "bob", 7)]);
    await ledger.snapshot(program, long);
    await ledger.append([retract("1")]);
    await ledger.snapshot(program, { ...long, time: 1_000_060 });
    expect(await readRanking(ledger.reader, "swaps")).toMatchObject([{ address: "bob" }]);
  });

  test("retracting a price or a domain restores the previous one", async () => {
    await using ledger = await openLedger(database);
    await ledger.append([
      price("1", 10, "A", "5"),
      price("2", 20, "A", "6"),
      price("3", 9, "B", "1"),
    ]);
    await ledger.append([domain("4", 10, "old.example"), domain("5", 20, "new.example")]);
    await ledger.append([swap("6", "alice", 1), retract("2"), retract("3"), retract("5")]);
    expect(await feeds(ledger)).toEqual({
      A: { price: "5", priceDecimals: 0, pricePublishTime: 10 },
    });
    await ledger.snapshot(program, { time: 2_000 });
    expect(await readRanking(ledger.reader, "swaps")).toMatchObject([{ domain: "old.example" }]);
  });

  test("within a second, events are ordered by sequence, then opened before closed, then by id", async () => {
    await using ledger = await openLedger(database);
    const pool = { address: "pool", pointsPerSecond: "10", startCountTimestamp: "0" };
    const promoted = { ...program, promotedPools: [pool] };
    const at = { type: "position_changed", time: 100, pool: "pool", address: "alice" } as const;
    await ledger.append([
      { ...at, id: "s-9", position: "p", liquidity: "200", sequence: 9 },
      { ...at, id: "s-10", position: "p", liquidity: "0", sequence: 10 },
      { ...at, type: "position_closed", id: "c", position: "q", sequence: 1 },
      { ...at, type: "position_opened", id: "o", position: "q", liquidity: "1", sequence: 2 },
    ]);
    await ledger.snapshot(promoted, { time: 2_000 });
    expect(await readRanking(ledger.reader, "lp")).toMatchObject([
      { address: "alice", positions: 1, points: String(10 * 1_900) },
    ]);
  });
});

test("an empty domain in CSV removes the domain", async () => {
  await using importing = await importingStore("sqlite");
  const lines = (domain: string, id: string, time: number) => [
    "id,type,time,address,tokenX,tokenY,usdValue,domain",
    "s,swap,5,alice,X,Y,1000000,",
    `${id},domain,${time},alice,,,,${domain}`,
  ];
  const named = async () => {
    await importing.points();
    const query = { ranking: "swaps", address: "alice", offset: 0, size: 0 } as const;
    return JSON.parse((await importing.store.readPage(query)).body.toString()).user.domain;
  };
  await importing.store.importFile(await importing.file("a.csv", lines("a.example", "d1", 6)));
  expect(await named()).toBe("a.example");
  await importing.store.importFile(await importing.file("b.csv", lines("", "d2", 7)));
  expect(await named()).toBeUndefined();
});
