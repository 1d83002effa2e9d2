import { existsSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { connectTo, newSession, openStoreOf, soon, temporaryFile } from "../temporary-database.ts";

const mebibyte = 1024 * 1024;

test("an idle writer moves the WAL into the database", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const { row } = newSession(store);
  await store.writeSteps([row(1, { response: new Uint8Array(mebibyte) })], soon());
  await expect.poll(() => statSync(file).size).toBeGreaterThan(mebibyte);
});

test("the WAL stays within 32 MiB while the writer is never idle", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file, { synchronous: "normal" });
  const { row, session_id } = newSession(store);
  const response = new Uint8Array(8 * mebibyte);
  for (let step_id = 1; step_id <= 12; step_id += 1) {
    await store.writeSteps([row(step_id, { response })], soon());
  }
  expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(32 * mebibyte);
  expect(await store.readLatestSuccessStep({ session_id, model: "policy" })).toBe(12);
});

test("a closed store leaves no WAL behind, though another program has the file open", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file);
  const other = connectTo(file);
  const count = other.prepare("select count(*) from session_steps").pluck();
  await store.writeSteps([newSession(store).row(1)], soon());
  expect(count.get()).toBe(1);
  await store.close();
  expect(existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0).toBe(0);
  expect(count.get()).toBe(1);
});
