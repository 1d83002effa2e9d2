import { existsSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { StoreUnavailableError } from "@proj/database";
import { expect, test } from "vitest";
import { backupSqliteStore } from "../../src/sqlite/backup-sqlite-store.ts";
import type { StepRow } from "../../src/store.ts";
import {
  connectTo,
  newSession,
  openStoreOf,
  soon,
  temporaryFile,
  utf8,
} from "../temporary-database.ts";

test("a backup under load holds everything acknowledged before it, whole, and can be continued", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file, { synchronous: "normal" });
  const { row, session_id } = newSession(store);
  let base: number | null = null;
  let acknowledged = 0;
  let isOver = false;
  const write = async (): Promise<void> => {
    while (!isOver) {
      const step_id = acknowledged + 1;
      const history: StepRow["history"] =
        base === null
          ? null
          : { messages_base: base, base_request_id: row(1).request_id, messages_shared: 1 };
      const messages = utf8(base === null ? "[]" : `${step_id}]`);
      const response = new Uint8Array(20_000).fill(0x61);
      const [written] = await store.writeSteps(
        [row(step_id, { messages, history, response })],
        soon(),
      );
      base ??= written?.id ?? null;
      acknowledged = step_id;
    }
  };
  const writing = write();
  await expect.poll(() => acknowledged).toBeGreaterThan(20);
  const before = acknowledged;
  const backup = await backupSqliteStore(`sqlite://${file}`, `${file}.backup`);
  const after = acknowledged;
  isOver = true;
  await writing;
  await store.close();
  expect(after).toBeGreaterThan(before);
  expect(backup).toEqual({ file: `${file}.backup`, bytes: statSync(`${file}.backup`).size });

  const copy = connectTo(backup.file);
  expect(copy.pragma("integrity_check", { simple: true })).toBe("ok");
  const numbers = copy.prepare("select step_id from stored_steps order by id").pluck().all();
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
  expect(numbers.length).toBeGreaterThanOrEqual(before);
  copy.close();

  renameSync(backup.file, file);
  const restored = await openStoreOf(file);
  expect(restored.storage_id).toBe(store.storage_id);
  await restored.writeSteps([row(numbers.length + 1)], soon());
  const { steps } = await restored.readSteps({ session_id, limit: 2 });
  expect(steps.map(({ messages }) => messages)).toEqual(["[]", "[2]"]);
});

test("a backup never overwrites a file, and a failed one leaves none", async () => {
  const file = await temporaryFile();
  await openStoreOf(file);
  writeFileSync(`${file}.backup`, "precious");
  const onto = backupSqliteStore(`sqlite://${file}`, `${file}.backup`);
  await expect(onto).rejects.toThrow(/gateway\.db\.backup already exists/);

  const missing = backupSqliteStore(`sqlite://${file}.none`, `${file}.second`);
  await expect(missing).rejects.toThrow(/There is no database/);

  const nowhere = backupSqliteStore(`sqlite://${file}`, `${file}.d/backup`);
  await expect(nowhere).rejects.toThrow(StoreUnavailableError);
  const left = readdirSync(dirname(file)).filter((name) => name.includes("partial"));
  expect(left).toEqual([]);
  expect(existsSync(`${file}.none`)).toBe(false);
});

test.skipIf(process.platform === "win32")("a backup is readable only by its user", async () => {
  const file = await temporaryFile();
  await openStoreOf(file);
  await backupSqliteStore(`sqlite://${file}`, `${file}.backup`);
  expect((statSync(`${file}.backup`).mode & 0o777).toString(8)).toBe("600");
});
