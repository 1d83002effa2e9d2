import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProcess, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import { currentFolder, publish } from "../../src/output/output-folder.ts";
import { generation, readGeneration } from "./generation.ts";

const script = fileURLToPath(new URL("killed-publish.ts", import.meta.url));

/** @returns whether the process finished before the call at which it was to be killed */
async function publishUntil(folder: string, name: string, call: number): Promise<boolean> {
  await using running = startProcess([script, folder, name, String(call)]);
  const { code, signal } = await running.exit();
  expect(signal ?? code, running.output).toBe(signal === null ? 0 : "SIGKILL");
  return code === 0;
}

test("a first run killed at any moment leaves none or all of its files", async () => {
  const seen = new Set<string | null>();
  for (let call = 1, isDone = false; !isDone; call++) {
    await using folder = await temporaryFolder();
    isDone = await publishUntil(folder.path, "new", call);
    seen.add(await readGeneration(folder.path));
  }
  expect([...seen]).toEqual([null, "new"]);
});

test("a run killed at any moment leaves the old files or the new ones", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const seen = new Set<string | null>();
  for (let call = 1, isDone = false; !isDone; call++) {
    await publish(path, generation("old"), await currentFolder(path));
    isDone = await publishUntil(path, "new", call);
    seen.add(await readGeneration(path));
  }
  expect([...seen]).toEqual(["old", "new"]);
  await publish(path, generation("last"), await currentFolder(path));
  expect(await readGeneration(path)).toBe("last");
  expect(await readdir(join(path, ".versions"))).toHaveLength(2);
  expect((await readdir(path)).sort()).toEqual([".current", ".versions", "index.html", "v1"]);
});
