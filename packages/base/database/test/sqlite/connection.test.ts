import { expect, test } from "vitest";
import { openWriter, temporaryFile } from "../temporary-file.ts";

test.each([
  ["full", 2],
  ["normal", 1],
] as const)(
  "synchronous %s is in force, and no commit waits for a checkpoint",
  async (mode, level) => {
    const { database } = openWriter(await temporaryFile(), mode);
    expect(database.pragma("synchronous", { simple: true })).toBe(level);
    expect(database.pragma("fullfsync", { simple: true })).toBe(mode === "full" ? 1 : 0);
    expect(database.pragma("wal_autocheckpoint", { simple: true })).toBe(0);
  },
);
