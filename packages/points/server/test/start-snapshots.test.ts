import { query } from "@proj/database";
import { openPointsStore, startSnapshots } from "@proj/points-server";
import { describe, expect, test } from "vitest";
import { openForWriting } from "../src/storage/open-database.ts";
import type { PointsSource } from "../src/storage/source.ts";
import { program, swap } from "./snapshots/swaps.ts";
import { databases, temporaryStorage } from "./storage/temporary-storage.ts";

const lockLedger = query(({ db }: PointsSource) =>
  db.updateTable("ledger").set((build) => ({ last_seq: build.ref("last_seq") })),
);

describe.each(databases)("on %s", (database) => {
  test("a schedule that is stopped does not wait for its snapshot, and reports no error", async () => {
    await using storage = await temporaryStorage(database);
    const { db_url } = storage;
    const store = await openPointsStore({ db_url, program, synchronous: "normal", jobNiceness: 0 });
    const other = await openForWriting({ db_url, synchronous: "normal" });
    try {
      await store.ingest([swap("1", "alice", 5)]);
      // Every snapshot begins with this row.
      const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holding = other.transaction(async (runner) => {
        await runner.run(lockLedger, {});
        locked.resolve();
        await released.promise;
      });
      await locked.promise;
      const errors: unknown[] = [];
      const schedule = startSnapshots(store, { onError: (error) => void errors.push(error) });
      // The lock is still held.
      await schedule.stop();
      released.resolve();
      await holding;
      expect(errors).toEqual([]);
      expect(await store.readSnapshot()).toBe(null);
      expect((await store.buildSnapshot()).totalItems.total).toBe(1);
    } finally {
      await store.close();
      await other.close();
    }
  });
});
