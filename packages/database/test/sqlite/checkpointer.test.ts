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
    commit() {
      insert.run(commitBytes);
      checkpointer.committed(1, commitBytes);
    },
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

test("a commit alone is checkpointed after it, not within", async () => {
  const { commit, close, fileBytes } = await openCheckpointer();
  commit();
  expect(fileBytes()).toBeLessThan(commitBytes);
  await expect.poll(fileBytes).toBeGreaterThan(commitBytes);
  close();
});
