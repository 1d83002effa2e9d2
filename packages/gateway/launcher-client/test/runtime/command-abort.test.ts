import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { temporaryFolder, waitFor, within } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { commandRuntime } from "../../src/runtime/command-runtime.ts";
import { hasEnded } from "../child-process/has-ended.ts";
import { nodeProgram } from "../child-process/node-program.ts";
import { startRequest } from "../start-request.ts";

const reason = new Error("its time is up");

interface Aborted {
  /** The reason that the simulation was rejected with. */
  readonly error: unknown;
  /** Processes that were still alive at that moment. */
  readonly left: readonly number[];
}

interface Run {
  readonly command: string;
  readonly folder?: string;
  /** How many process ids the command writes to `pids` before it is aborted. */
  readonly processes: number;
  readonly graceMs?: number;
  readonly request?: SimulationStartRequest;
  /** Aborts once this process (0 is the first of `pids`) has ended by itself. */
  readonly afterEndOf?: number;
}

async function abortOnce(run: Run): Promise<Aborted> {
  const folder = run.folder ?? (await emptyFolder());
  const abort = new AbortController();
  const { graceMs = 60_000, request = startRequest } = run;
  const failing = commandRuntime(run.command, { cwd: folder, graceMs })
    .run(request, { signal: abort.signal })
    .then(
      (result) => result,
      (error: unknown) => error,
    );
  const pids = await waitFor(async () => {
    const lines = await readFile(join(folder, "pids"), "utf8").catch(() => "");
    const found = lines.split("\n").slice(0, -1).map(Number);
    return found.length === run.processes && found;
  }, "the command's processes");
  const first = run.afterEndOf === undefined ? undefined : pids[run.afterEndOf];
  if (first !== undefined) await waitFor(() => hasEnded(first), "a process to end by itself");
  abort.abort(reason);
  const error = await within(failing, "the aborted simulation");
  return { error, left: pids.filter((pid) => !hasEnded(pid)) };
}

async function emptyFolder(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

test("an abort before its start: nothing is started", async () => {
  const folder = await emptyFolder();
  const running = commandRuntime("echo > started", { cwd: folder });
  await expect(running.run(startRequest, { signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  );
  await expect(access(join(folder, "started"))).rejects.toThrow("ENOENT");
});

test.each([0, 1, 2, 3])(
  "an abort %i turns of the event loop after its start: nothing is left running",
  async (turns) => {
    const folder = await emptyFolder();
    const abort = new AbortController();
    const running = commandRuntime("echo $$ > pids; exec sleep 600", { cwd: folder });
    const failing = expect(running.run(startRequest, { signal: abort.signal })).rejects.toBe(
      reason,
    );
    for (let turn = 0; turn < turns; turn += 1)
      await new Promise((resolve) => setImmediate(resolve));
    abort.abort(reason);
    await failing;
    const pid = Number(await readFile(join(folder, "pids"), "utf8").catch(() => ""));
    expect(pid === 0 || hasEnded(pid)).toBe(true);
  },
);

test("an abort while it and its children work: all of them are ended", async () => {
  const command =
    "echo $$ >> pids; (sleep 600 & echo $! >> pids; wait) & echo $! >> pids; sleep 600 & echo $! >> pids; wait";
  expect(await abortOnce({ command, processes: 4 })).toEqual({ error: reason, left: [] });
});

test("an abort while it reads its input, or does not", async () => {
  const request = { ...startRequest, env_params: "x".repeat(3_000_000) };
  const reading = "echo $$ >> pids; cat > /dev/null; exec sleep 600";
  expect(await abortOnce({ command: reading, processes: 1, request })).toEqual({
    error: reason,
    left: [],
  });
  const notReading = "echo $$ >> pids; exec sleep 600";
  expect(await abortOnce({ command: notReading, processes: 1, request })).toEqual({
    error: reason,
    left: [],
  });
});

test("an abort while it prints endlessly", async () => {
  const command = "echo $$ >> pids; yes & echo $! >> pids; yes >&2";
  expect(await abortOnce({ command, processes: 2 })).toEqual({ error: reason, left: [] });
});

test("a command has time to clean up, and its result no longer counts", async () => {
  const { command, folder } = await nodeProgram(`
    import { writeFileSync } from "node:fs";
    process.on("SIGTERM", () => {
      setTimeout(() => {
        writeFileSync("tidy", "");
        console.log('{"status":"ok"}');
        process.exit(0);
      }, 50);
    });
    setInterval(() => {}, 1000);
    writeFileSync("pids", process.pid + "\\n");
  `);
  const aborted = await abortOnce({ command, folder, processes: 1 });
  expect(aborted).toEqual({ error: reason, left: [] });
  await access(join(folder, "tidy"));
});

test("a command that ignores SIGTERM is killed after its grace", async () => {
  const command = "trap '' TERM; echo $$ >> pids; sleep 600 & echo $! >> pids; wait";
  const aborted = await abortOnce({ command, processes: 2, graceMs: 50 });
  expect(aborted).toEqual({ error: reason, left: [] });
});

test("a child that ignores SIGTERM outlives its parent, but not the grace", async () => {
  const command =
    "echo $$ >> pids; (trap '' TERM; sleep 600 & echo $! >> pids; wait) & echo $! >> pids; wait";
  const aborted = await abortOnce({ command, processes: 3, graceMs: 50 });
  expect(aborted).toEqual({ error: reason, left: [] });
});

test("an abort after its end, while a process that it left holds the output open", async () => {
  const command = `echo $$ >> pids; sleep 600 & echo $! >> pids; echo '{"status":"ok"}'`;
  const aborted = await abortOnce({ command, processes: 2, afterEndOf: 0 });
  expect(aborted).toEqual({ error: reason, left: [] });
});

test("an abort after the result has no effect", async () => {
  const abort = new AbortController();
  const result = commandRuntime(`echo '{"status":"ok"}'`).run(startRequest, abort);
  await expect(result).resolves.toMatchObject({ status: "ok" });
  abort.abort(reason);
});
