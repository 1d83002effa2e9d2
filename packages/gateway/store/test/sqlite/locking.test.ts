import { monotonicMs, StoreInUseError, StoreUnavailableError } from "@proj/database";
import { expect, test } from "vitest";
import { connectTo, newSession, openStoreOf, soon, temporaryFile } from "../temporary-database.ts";
import { openJobsOf } from "../temporary-jobs.ts";

test("a long lock makes the storage unavailable, and nothing of the batch is stored", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const { row, steps } = newSession(store);
  const other = connectTo(file);
  other.exec("begin immediate");
  const began = performance.now();
  const refused = store.writeSteps([row(1)], { deadline: monotonicMs() + 500 });
  await expect(refused).rejects.toThrow(StoreUnavailableError);
  await expect(refused).rejects.toThrow(/gateway\.db: the database is locked by another process/);
  expect(performance.now() - began).toBeLessThan(10_000);
  other.exec("commit");
  expect(await steps()).toEqual([]);
  await store.writeSteps([row(1)], soon());
  expect(await steps()).toHaveLength(1);
});

test("the busy time-out ends a wait before the deadline does", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file, { busyTimeoutMs: 50 });
  connectTo(file).exec("begin immediate");
  const refused = store.writeSteps([newSession(store).row(1)], soon());
  await expect(refused).rejects.toThrow(/locked by another process/);
});

test("the writer waits for the lock while readers read", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const { row, steps } = newSession(store);
  await store.writeSteps([row(1)], soon());
  const other = connectTo(file);
  other.exec("begin immediate");
  const writing = store.writeSteps([row(2)], soon());
  expect(await steps()).toHaveLength(1);
  other.exec("commit");
  await writing;
  expect(await steps()).toHaveLength(2);
});

test("a second gateway is refused and told which process has the file; launchers are not refused", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const second = openStoreOf(file);
  await expect(second).rejects.toThrow(StoreInUseError);
  await expect(second).rejects.toThrow(`is in use by a gateway (process ${process.pid} on `);
  const jobs = await openJobsOf(file);
  expect(jobs.storage_id).toBe(store.storage_id);

  await store.close();
  await openStoreOf(file);
});

test("closing ends a wait for the lock in bounded time, and the batch is refused", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file, { closeTimeoutMs: 50 });
  const { row } = newSession(store);
  connectTo(file).exec("begin immediate");
  const refused = expect(store.writeSteps([row(1)], soon())).rejects.toThrow(StoreUnavailableError);
  const began = performance.now();
  await store.close();
  await refused;
  expect(performance.now() - began).toBeLessThan(5000);
});

test("closing waits for operations in progress, and nothing begins after it", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const { row } = newSession(store);
  const written = store.writeSteps([row(1)], soon());
  await store.close();
  expect(await written).toHaveLength(1);
  await expect(store.writeSteps([row(2)], soon())).rejects.toThrow(/store is closed/);
  await expect(store.readSession("session")).rejects.toThrow(StoreUnavailableError);
  await store.close();
});
