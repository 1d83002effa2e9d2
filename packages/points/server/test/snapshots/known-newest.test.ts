import { describe, expect, test } from "vitest";
import { SnapshotReader } from "../../src/snapshots/snapshot-reader.ts";
import { openLedger } from "../storage/open-ledger.ts";
import { databases } from "../storage/temporary-storage.ts";
import { program, swap } from "./swaps.ts";

describe.each(databases)("on %s", (database) => {
  test("the newest snapshot is assumed to be so for its time, or until it is forgotten", async () => {
    await using ledger = await openLedger(database);
    const reader = new SnapshotReader(ledger.database, { newestForMs: 3_600_000 });
    await ledger.append([swap("1", "alice", 5)]);
    const { id } = await ledger.snapshot(program, { time: 2_000 });
    expect((await reader.newest())?.id).toBe(id);
    const { id: newer } = await ledger.snapshot(program, { time: 2_001 });
    expect((await reader.newest())?.id).toBe(id);
    reader.forgetNewest();
    expect((await reader.newest())?.id).toBe(newer);
  });

  test("if the assumed newest one was deleted, it is looked up again", async () => {
    await using ledger = await openLedger(database);
    const reader = new SnapshotReader(ledger.database, { newestForMs: 3_600_000 });
    await ledger.append([swap("1", "alice", 5)]);
    await ledger.snapshot(program, { time: 2_000 });
    await reader.newest();
    let last = "";
    for (let time = 2_001; time < 2_005; time += 1) {
      last = (await ledger.snapshot(program, { time })).id;
    }
    const page = await reader.page({ ranking: "total", address: "alice", offset: 0, size: 10 });
    expect(page.snapshot).toBe(last);
  });
});
