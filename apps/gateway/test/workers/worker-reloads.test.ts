import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { WorkerReloads } from "../../src/workers/worker-reloads.ts";

const answer = 'SIGHUP: routes {"added":["new"]}';

afterEach(() => {
  vi.restoreAllMocks();
});

test("what all workers serve is told when the last one that has not answered dies", async () => {
  const { told, second } = await halfAnswered();
  expect(told).not.toHaveBeenCalled();
  second.kill("SIGKILL");
  await once(second, "exit");
  expect(told.mock.calls).toEqual([[answer]]);
});

test("an answer to the reload before is not told as this one's", async () => {
  const { told, reloads, first, second } = await halfAnswered();
  reloads.begin();
  for (const child of [first, second]) child.kill("SIGKILL");
  await Promise.all([first, second].map(async (child) => child.exitCode ?? once(child, "exit")));
  expect(told).not.toHaveBeenCalled();
});

/** A reload that the first of two workers has answered. */
async function halfAnswered() {
  const told = vi.spyOn(console, "log").mockReturnValue();
  const reloads = new WorkerReloads(await configuration());
  const [first, second] = await Promise.all([startChild(), startChild()]);
  reloads.add(1, first);
  reloads.add(2, second);
  reloads.begin();
  reloads.tell(1, answer, false);
  return { told, reloads, first, second };
}

async function configuration(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, "gateway.yaml");
  await writeFile(path, 'llm_routes: { small: { base_url: "http://127.0.0.1:9" } }\n');
  return path;
}

/** A process that lives through SIGHUP. */
async function startChild(): Promise<ChildProcess> {
  const program = "process.on('SIGHUP', () => {}); setInterval(() => {}, 1000); console.log('on')";
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}
