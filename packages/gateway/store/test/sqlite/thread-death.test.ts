import type { Worker } from "node:worker_threads";
import { StoreUnavailableError } from "@proj/database";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectTo, newSession, openStoreOf, soon, temporaryFile } from "../temporary-database.ts";

/** The store, and a way to kill its newest thread of a given name. */
async function openMortalStore() {
  const workers: Worker[] = [];
  const keep = (worker: Worker) => workers.push(worker);
  process.on("worker", keep);
  onTestFinished(() => {
    process.off("worker", keep);
  });
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const [writer, reader] = workers;
  if (writer === undefined || reader === undefined) throw new Error("There are two threads.");
  return { file, store, writer, reader };
}

test("a batch that a dying writer had is stored exactly once when it is sent again", async () => {
  const { file, store, writer } = await openMortalStore();
  const { row, steps } = newSession(store);
  const rows = [row(1), row(2, { model: "slow" }), row(3)];
  const other = connectTo(file);
  // The second row keeps the writer in the middle of its transaction until the test has seen it there.
  other.exec(
    `create trigger slow before insert on stored_steps when new.model = 'slow' begin
       select count(*) from (with recursive n(i) as (select 1 union all select i + 1 from n limit 3000000) select i from n);
     end`,
  );
  const died = expect(store.writeSteps(rows, soon())).rejects.toMatchObject({
    name: "StoreUnavailableError",
    writerDied: true,
  });
  other.pragma("busy_timeout = 0");
  await vi.waitUntil(() => isLocked(() => other.exec("begin immediate; rollback")), {
    timeout: 45_000,
    interval: 1,
  });
  await writer.terminate();
  await died;
  expect(await steps()).toEqual([]);

  other.pragma("busy_timeout = 5000");
  other.exec("drop trigger slow");
  expect(await store.writeSteps(rows, soon())).toHaveLength(3);
  expect((await steps()).map(({ request_id }) => request_id)).toEqual(
    rows.map(({ request_id }) => request_id),
  );
});

test("a writer that died while idle is replaced at the next call", async () => {
  const { store, writer } = await openMortalStore();
  const { row, steps } = newSession(store);
  await store.writeSteps([row(1)], soon());
  await writer.terminate();
  await store.writeSteps([row(1), row(2)], soon());
  expect(await steps()).toHaveLength(2);
});

test("a writer that cannot restart makes the storage unavailable, whatever the reason", async () => {
  const { file, store, writer } = await openMortalStore();
  const { row } = newSession(store);
  const other = connectTo(file);
  other.exec("update storage_info set schema_version = schema_version + 1000");
  await writer.terminate();
  const refused = store.writeSteps([row(1)], soon());
  await expect(refused).rejects.toMatchObject({ name: "StoreUnavailableError", writerDied: false });
  await expect(refused).rejects.toThrow(/schema version 10\d\d, and this program knows/);
  other.exec("update storage_info set schema_version = schema_version - 1000");
  expect(await store.writeSteps([row(1)], soon())).toHaveLength(1);
});

test("a dead reader is replaced, and its unfinished read is refused as unavailable", async () => {
  const { store, reader } = await openMortalStore();
  const { row, session_id } = newSession(store);
  await store.writeSteps([row(1)], soon());
  const refused = expect(store.readSession(session_id)).rejects.toThrow(StoreUnavailableError);
  const died = reader.terminate();
  await refused;
  await died;
  expect(await store.readLatestSuccessStep({ session_id, model: "policy" })).toBe(1);
});

test("a store with dead threads can be closed", async () => {
  const { store, writer, reader } = await openMortalStore();
  await Promise.all([writer.terminate(), reader.terminate()]);
  await store.close();
});

function isLocked(attempt: () => void): boolean {
  try {
    attempt();
    return false;
  } catch {
    return true;
  }
}
