import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { linesOf, nodeArguments, start } from "../store-process.ts";
import { openStoreOf, temporaryFile } from "../temporary-database.ts";

async function storedNumbers(file: string): Promise<number[]> {
  const store = await openStoreOf(file);
  const page = await store.readSteps({ session_id: "session-1", limit: 1000 });
  expect(page.next_after).toBeNull();
  return page.steps.map(({ step_id }) => step_id);
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

test("every write acknowledged to a killed process is stored, and only whole batches", async () => {
  const file = await temporaryFile();
  const child = start(process.execPath, nodeArguments("write", file));
  const lines = linesOf(child);
  let acknowledged = 0;
  while (acknowledged < 30) acknowledged = Number((await lines.next()).value);
  child.kill("SIGKILL");
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    acknowledged = Number(line.value);
  }
  const store = await openStoreOf(file);
  const { models } = await store.readSession("session-1");
  const stored = models[0]?.steps ?? 0;
  expect(stored).toBeGreaterThanOrEqual(acknowledged);
  // One batch may have been committed without its acknowledgement being written.
  expect([acknowledged, acknowledged + 3]).toContain(stored);
  expect(models[0]?.successes).toBe(stored);
});

test("processes that open one new file at once create one database", async () => {
  const file = await temporaryFile();
  const commands = ["open", "openJobs", "openJobs"];
  const children = commands.map((each) => start(process.execPath, nodeArguments(each, file)));
  const ids = await Promise.all(children.map(async (child) => (await linesOf(child).next()).value));
  const store = await openStoreOf(file);
  expect(ids).toEqual([store.storage_id, store.storage_id, store.storage_id]);
  await store.close();
  expect(await storedNumbers(file)).toEqual([1]);
});

const shell = (command: string) => spawnSync("bash", ["-c", command]).status;
const hasLimits = process.platform === "linux" && shell("prlimit --version") === 0;

test.skipIf(!hasLimits)(
  "a full disk is reported as unavailability, which ends when there is room",
  async () => {
    const file = await temporaryFile();
    const limited = ['ulimit -S -f 2048; exec "$@"', "bash", process.execPath];
    const child = start("bash", ["-c", ...limited, ...nodeArguments("fill", file)]);
    const lines = linesOf(child);
    const { value: complaint } = await lines.next();
    expect(complaint).toMatch(/^no room for \d+: The database .* (disk|free space)/);
    expect(shell(`prlimit --pid=${child.pid} --fsize=unlimited:`)).toBe(0);
    child.stdin?.write("\n");
    expect((await lines.next()).value).toBe("done");
    expect(await storedNumbers(file)).toEqual(upTo(100));
  },
);

const isRoot = process.getuid?.() === 0;
const nobody = 65534;

test.skipIf(process.platform === "win32")("a read-only file is unavailable", async () => {
  const file = await temporaryFile();
  await (await openStoreOf(file)).close();
  await chmod(file, 0o444);
  await chmod(dirname(file), 0o555);
  // Root may write every file.
  const user = isRoot ? nobody : undefined;
  const child = start(process.execPath, nodeArguments("fail", file), user);
  const { value: complaint } = await linesOf(child).next();
  expect(complaint).toMatch(/^StoreUnavailableError: .* check .* its folder/);
  await once(child, "exit");
  await chmod(dirname(file), 0o755);
});
