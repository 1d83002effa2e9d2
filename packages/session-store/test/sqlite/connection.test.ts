import { expect, onTestFinished, test } from "vitest";
import { openWriterConnection } from "../../src/sqlite/connection.ts";
import { temporaryFile } from "../temporary-database.ts";

test.each([
  ["full", 2],
  ["normal", 1],
] as const)(
  "synchronous %s is in force, and no commit pays for a checkpoint",
  async (mode, level) => {
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const database = openWriterConnection(await temporaryFile(), mode, Date.now() + 1000, stop);
    onTestFinished(() => {
      database.close();
    });
    expect(database.pragma("synchronous", { simple: true })).toBe(level);
    expect(database.pragma("fullfsync", { simple: true })).toBe(mode === "full" ? 1 : 0);
    expect(database.pragma("wal_autocheckpoint", { simple: true })).toBe(0);
  },
);
