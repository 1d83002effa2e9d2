import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { importingStore } from "../ingest/importing-store.ts";
import { swap } from "../snapshots/swaps.ts";

/** The `nice` values of this process's threads: the 19th field of proc_pid_stat(5), 16 fields after the name. */
function nicenesses(): Set<number> {
  const threads = readdirSync("/proc/self/task").map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  });
  return new Set(threads);
}

test.runIf(process.platform === "linux")("imports run at the given niceness", async () => {
  await using importing = await importingStore("sqlite", { jobNiceness: 7 });
  const file = await importing.file("events.jsonl", [swap("1", "alice", 5)]);
  const seen: Set<number>[] = [];
  await importing.store.importFile(file, { onProgress: () => void seen.push(nicenesses()) });
  expect(seen.some((values) => values.has(7))).toBe(true);
  expect(nicenesses()).not.toContain(7);
});
