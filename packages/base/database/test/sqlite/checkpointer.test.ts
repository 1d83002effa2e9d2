import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { Checkpointer } from "../../src/sqlite/checkpointer.ts";
import { openWriter, temporaryFile } from "../temporary-file.ts";

const commitBytes = 8 * 1024 * 1024;

async function openCheckpointer() {
  const file = await temporaryFile();
  const { database, identity } = openWriter(file);
  database.exec("create table payload (value)");
  const checkpointer = new Checkpointer(database);
  const insert = database.prepare("insert into payload values (zeroblob(?))");
  return {
    commit(bytes: number = commitBytes) {
      insert.run(bytes);
      checkpointer.committed(1, bytes);
    },
    /** Writes what the checkpointer does not know of. */
    leave: (bytes: number) => insert.run(bytes),
    close: () => checkpointer.close(identity),
    walBytes: () => statSync(`${file}-wal`).size,
    fileBytes: () => statSync(file).size,
  };
}

test("commits in one turn of the event loop do not pile up in the WAL", async () => {
  const { commit, close, walBytes } = await openCheckpointer();
  for (let commits = 0; commits < 12; commits += 1) commit();
  expect(walBytes()).toBeLessThan(3 * commitBytes);
  close();
});

test("many small commits fill the WAL to its limit and no further", async () => {
  const { commit, close, walBytes, fileBytes } = await openCheckpointer();
  let largest = 0;
  for (let commits = 0; commits < 1_500; commits += 1) {
    commit(1_000);
    largest = Math.max(largest, walBytes());
  }
  expect(fileBytes()).toBeGreaterThan(1_000_000);
  expect(largest).toBeGreaterThan(0.9 * commitBytes);
  expect(largest).toBeLessThan(1.2 * commitBytes);
  close();
});

test("a large WAL that was there before is noticed soon", async () => {
  const { commit, close, fileBytes, leave } = await openCheckpointer();
  leave(3 * commitBytes);
  for (let commits = 0; commits < 40; commits += 1) commit(1_000);
  expect(fileBytes()).toBeGreaterThan(3 * commitBytes);
  close();
});

test("a commit alone is checkpointed after it, not within", async () => {
  const { commit, close, fileBytes } = await openCheckpointer();
  commit();
  expect(fileBytes()).toBeLessThan(commitBytes);
  await expect.poll(fileBytes).toBeGreaterThan(commitBytes);
  close();
});
