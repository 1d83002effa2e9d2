import { type LogEntry, Operations, startSnapshots } from "@proj/points-server";
import { waitFor } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { databases } from "../storage/temporary-storage.ts";
import { problemOf, serveStore, swap } from "./served-store.ts";

describe.each(databases)("on %s", (database) => {
  test("probes and metrics report the storage, the snapshot, events and answers", async () => {
    const log: LogEntry[] = [];
    const served = await serveStore([], {
      database,
      program: { refreshTime: 1 },
      operations: (store) => new Operations({ store, log: (entry) => void log.push(entry) }),
    });
    try {
      const { operations, store } = served;
      if (operations === undefined) return expect.fail("there are none");
      expect(await (await served.ask("/healthz")).json()).toEqual({ status: "ok" });
      const before = await served.ask("/readyz");
      expect(before.status).toBe(503);
      expect(await before.json()).toMatchObject({
        ready: false,
        reason: "no snapshot has been built yet",
      });
      await store.ingest([swap("a", 1)]);
      const schedule = startSnapshots(store, operations.schedule);
      await waitFor(() => log.some(({ event }) => event === "snapshot_built"), "a snapshot");
      const ready = await served.ask("/readyz");
      expect(ready.status).toBe(200);
      expect(await ready.json()).toMatchObject({
        ready: true,
        late: false,
        snapshot: { age_s: expect.any(Number) },
      });
      await served.ask("/api/main/total/a");
      await served.ask("/api/history/a");
      await served.ask("/nothing");
      await schedule.stop();
      const metrics = await (await served.ask("/metrics")).text();
      expect(metrics).toMatch(/^points_snapshots_total\{outcome="built"\} [1-9]/m);
      expect(metrics).toMatch(/^points_snapshot_addresses\{ranking="total"\} 1$/m);
      expect(metrics).toMatch(/^points_snapshot_age_seconds \d+$/m);
      expect(metrics).toMatch(/^points_requests_total\{route="total",status="200"\} 1$/m);
      expect(metrics).toMatch(/^points_requests_total\{route="history",status="200"\} 1$/m);
      expect(metrics).toMatch(/^points_requests_total\{route="other",status="404"\} 1$/m);
      const refused = await problemOf(await served.ask("/metrics", { method: "POST" }));
      expect(refused).toMatchObject({ status: 405 });
      await store.close();
      const gone = await served.ask("/readyz");
      expect(gone.status).toBe(503);
      expect(await gone.json()).toMatchObject({ reason: "the storage cannot be read" });
    } finally {
      await served[Symbol.asyncDispose]();
    }
  });

  test("failed and late snapshots are reported", async () => {
    await using served = await serveStore([swap("a", 1)], {
      database,
      program: { refreshTime: 1 },
    });
    const log: LogEntry[] = [];
    const { store } = served;
    const operations = new Operations({ store, log: (entry) => void log.push(entry) });
    // The schedule continues, and every snapshot fails.
    await store.close();
    const schedule = startSnapshots(store, operations.schedule);
    await waitFor(() => log.some(({ event }) => event === "snapshot_late"), "it to be late");
    await schedule.stop();
    expect(log[0]).toEqual({
      level: "error",
      event: "snapshot_failed",
      error: expect.stringContaining("the store is closed"),
    });
    expect(await operations.metrics()).toMatch(/outcome="late"\} 1$/m);
  });
});
