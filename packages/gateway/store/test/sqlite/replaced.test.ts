import { existsSync, renameSync, rmSync } from "node:fs";
import { StoreReplacedError } from "@proj/database";
import { expect, test } from "vitest";
import type { SessionStore } from "../../src/store.ts";
import {
  builtOn,
  connectTo,
  newSession,
  openStoreOf,
  soon,
  temporaryFile,
  utf8,
} from "../temporary-database.ts";
import { openJobsOf, simulations } from "../temporary-jobs.ts";

const files = (file: string): string[] => ["", "-wal", "-shm"].map((suffix) => file + suffix);

/** Tries every use of the store: none may report a success that no file holds. */
async function expectReplaced(store: SessionStore): Promise<void> {
  const { row, session_id } = newSession(store);
  await expect(store.writeSteps([row(1)], soon())).rejects.toThrow(StoreReplacedError);
  await expect(store.readSession(session_id)).rejects.toThrow(StoreReplacedError);
  await expect(store.ping()).rejects.toThrow(StoreReplacedError);
}

/** Retried while the store's threads close one file and open the other. */
const untilReady = (store: SessionStore): Promise<void> =>
  expect.poll(() => store.ping().then(() => "ready", String), { interval: 10 }).toBe("ready");

/** The numbers that any program finds in the file of this name. */
function storedNumbers(file: string, session_id: string): unknown[] {
  const query = "select step_id from stored_steps where session_id = ? order by id";
  return connectTo(file).prepare<[string]>(query).pluck().all(session_id);
}

test("nothing is written to a removed file until the original is back", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const { row, session_id } = newSession(store);
  await store.writeSteps([row(1)], soon());
  connectTo(file).exec(`vacuum into '${file}.backup'`);
  for (const each of files(file)) rmSync(each);
  await expectReplaced(store);
  expect(existsSync(file)).toBe(false);

  renameSync(`${file}.backup`, file);
  await untilReady(store);
  await store.writeSteps([row(2)], soon());
  expect(storedNumbers(file, session_id)).toEqual([1, 2]);
  expect((await store.readSession(session_id)).models).toMatchObject([{ steps: 2 }]);
});

test("another database of the same name is neither written nor read", async () => {
  const file = await temporaryFile();
  const other = await openStoreOf(`${file}.other`);
  await other.close();
  const store = await openStoreOf(file);
  const moved = `${file}.moved`;
  renameSync(file, moved);
  renameSync(`${file}.other`, file);
  await expectReplaced(store);
  await expect
    .poll(() => store.ping().catch(String), { interval: 10 })
    .toMatch(/gateway\.db is not the database that was in use/);
  const jobs = await openJobsOf(file);
  expect(jobs.storage_id).toBe(other.storage_id);
});

test("rows survive the loss of the WAL that holds them", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const { row, session_id } = newSession(store);
  await store.writeSteps([row(1), row(2)], soon());
  rmSync(`${file}-wal`);
  await expect(store.writeSteps([row(3)], soon())).rejects.toThrow(StoreReplacedError);
  await untilReady(store);
  await store.writeSteps([row(3)], soon());
  expect(storedNumbers(file, session_id)).toEqual([1, 2, 3]);
});

test("a commit is not acknowledged if the file was replaced in between", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const { row, steps } = newSession(store);
  await store.writeSteps([row(1)], soon());
  const other = connectTo(file);
  // A copy of the file alone would lack what is still in its WAL.
  other.exec(`vacuum into '${file}.other'`);
  other.exec("begin immediate");
  const written = store.writeSteps([row(2)], soon());
  const refused = expect(written).rejects.toThrow(StoreReplacedError);
  // By now the writer waits for the lock or has found the file gone; in both cases nothing is acknowledged.
  renameSync(`${file}.other`, file);
  other.exec("commit");
  await refused;
  await untilReady(store);
  expect((await steps()).map(({ step_id }) => step_id)).toEqual([1]);
});

test("in a restored backup no id repeats, and nothing builds on a lost row", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const { row, steps } = newSession(store);
  await store.writeSteps([row(1)], soon());
  connectTo(file).exec(`vacuum into '${file}.backup'`);
  const [lost] = await store.writeSteps([row(2)], soon());
  // The WAL that remains belongs to the former file: mixed into the backup, its rows would be partly there.
  renameSync(`${file}.backup`, file);
  await expect(store.ping()).rejects.toThrow(StoreReplacedError);
  await untilReady(store);

  const history = builtOn(lost, 1);
  const orphan = row(3, { request: null, messages: utf8("[]"), history });
  const written = await store.writeSteps([orphan, row(4)], soon());
  expect(written).toMatchObject([{ stored: "without_payload" }, { stored: "whole" }]);
  const ids = written.map(({ id }) => id ?? 0);
  expect(Math.min(...ids)).toBeGreaterThan(lost?.id ?? 0);
  const stored = await steps();
  expect(stored.map(({ step_id }) => step_id)).toEqual([1, 3, 4]);
  expect(stored[1]).toMatchObject({ response: '{"id":"answer"}', messages: null });
  expect(stored[1]?.meta_json).toContain("is no longer in the database");
});

test("a launcher's store notices a replaced file too, and the right one again", async () => {
  const file = await temporaryFile();
  const jobs = await openJobsOf(file);
  await jobs.addSimulations("job", simulations(1));
  connectTo(file).exec(`vacuum into '${file}.backup'`);
  for (const each of files(file)) rmSync(each);
  await expect(jobs.addSimulations("job", simulations(2))).rejects.toThrow(StoreReplacedError);
  await expect(jobs.readJob("job")).rejects.toThrow(StoreReplacedError);
  renameSync(`${file}.backup`, file);
  const added = (): Promise<unknown> => jobs.addSimulations("job", simulations(2)).catch(() => "");
  await expect.poll(added, { interval: 10 }).toBe(1);
});
