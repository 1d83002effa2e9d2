import { StoreUnavailableError } from "@proj/database";
import { expect, test } from "vitest";
import { PointsThread } from "../../src/threads/points-thread.ts";
import { program } from "../snapshots/swaps.ts";
import { temporaryStorage } from "../storage/temporary-storage.ts";

test("a call to a thread that has ended fails instead of waiting for ever", async () => {
  await using storage = await temporaryStorage("sqlite");
  const { db_url } = storage;
  const thread = new PointsThread({ storage: { db_url }, program, jobNiceness: 0, role: "ledger" });
  await thread.call("open", null);
  await thread.end();
  const call = thread.call("open", null);
  await expect(call).rejects.toThrow(new StoreUnavailableError("the storage thread ended"));
});
