import { copyFile, rename } from "node:fs/promises";
import { expect, test } from "vitest";
import { StoreUnavailableError } from "../../src/store-errors.ts";
import { connectTo, newSession, openStoreOf, soon, temporaryFile } from "../temporary-database.ts";

test("a lock that lasts makes the storage unavailable, and nothing of the batch is stored", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const { row, steps } = newSession(store);
  const other = connectTo(file);
  other.exec("begin immediate");
  const began = performance.now();
  const refused = store.writeSteps([row(1)], { deadline: Date.now() + 500 });
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

test("two stores of one file share sessions without losing a row", async () => {
  const file = await temporaryFile();
  const stores = await Promise.all([openStoreOf(file), openStoreOf(file)]);
  const [first, second] = stores;
  expect(first.storage_id).toBe(second.storage_id);
  const { row, steps } = newSession(first);
  const writeAll = async (store: typeof first, name: string) => {
    for (let step_id = 1; step_id <= 20; step_id += 1) {
      await store.writeSteps([row(step_id, { request_id: `${name}-${step_id}` })], soon());
    }
  };
  await Promise.all([writeAll(first, "first"), writeAll(second, "second")]);
  const numbers = (await steps()).map(({ step_id }) => step_id);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
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

test("closing waits for what was begun, and nothing begins after it", async () => {
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

test("a ping finds storage that works, and a file that was replaced", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  await store.ping();
  await rename(file, `${file}.moved`);
  await expect(store.ping()).rejects.toThrow(/removed or replaced/);
  await copyFile(`${file}.moved`, file);
  await expect(store.ping()).rejects.toThrow(StoreUnavailableError);
});
