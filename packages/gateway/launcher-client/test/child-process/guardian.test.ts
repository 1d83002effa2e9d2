import { access, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type RunningProcess, startProcess, temporaryFolder, waitFor } from "@proj/test-kit";
import { describe, type TestContext, test } from "vitest";
import { hasEnded, untilEnded } from "./has-ended.ts";

const launcher = fileURLToPath(new URL("./launcher-program.ts", import.meta.url));
/** Only Linux shows the environment of a process that has left its group. */
const isLinux = process.platform === "linux";

interface Started {
  readonly launcher: RunningProcess;
  /** The process ids that the command wrote to `pids`. */
  readonly pids: readonly number[];
  readonly folder: string;
}

async function start(
  { onTestFinished }: TestContext,
  command: string,
  processes: number,
): Promise<Started> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const started = startProcess([launcher, command], { cwd: folder.path });
  onTestFinished(() => started[Symbol.asyncDispose]());
  const pids = await waitFor(async () => {
    const text = await readFile(`${folder.path}/pids`, "utf8").catch(() => "");
    const found = text.split("\n").slice(0, -1).map(Number);
    return found.length === processes && found;
  }, `the command's processes\n${started.output}`);
  onTestFinished(() => {
    for (const pid of pids) if (!hasEnded(pid)) process.kill(pid, "SIGKILL");
  });
  return { launcher: started, pids, folder: folder.path };
}

const untilAllEnded = (pids: readonly number[]): Promise<boolean[]> =>
  Promise.all(pids.map(untilEnded));

describe.concurrent("a launcher and its commands", () => {
  test("SIGKILL of the launcher ends its agent and everything the agent started", async (context) => {
    const { launcher, pids } = await start(
      context,
      "echo $$ >> pids; sleep 600 & echo $! >> pids; wait",
      2,
    );
    launcher.kill("SIGKILL");
    await launcher.exit();
    await untilAllEnded(pids);
  });

  test("SIGKILL of the launcher ends an agent that ignores SIGTERM", async (context) => {
    const { launcher, pids } = await start(
      context,
      "trap '' TERM; echo $$ >> pids; sleep 600 & echo $! >> pids; wait",
      2,
    );
    launcher.kill("SIGKILL");
    await launcher.exit();
    await untilAllEnded(pids);
  });

  test("an agent can clean up after its launcher was killed", async (context) => {
    const { launcher, pids, folder } = await start(
      context,
      "trap 'echo > tidy; exit' TERM; echo $$ >> pids; sleep 600 & echo $! >> pids; wait",
      2,
    );
    launcher.kill("SIGKILL");
    await launcher.exit();
    await untilAllEnded(pids);
    await access(`${folder}/tidy`);
  });

  test.runIf(isLinux)(
    "SIGKILL of the launcher ends a child that started its own session",
    async (context) => {
      const { launcher, pids } = await start(
        context,
        "echo $$ >> pids; setsid sh -c 'echo $$ >> pids; exec sleep 600' & wait; sleep 600",
        2,
      );
      launcher.kill("SIGKILL");
      await launcher.exit();
      await untilAllEnded(pids);
    },
  );

  test.runIf(isLinux)(
    "a child that started its own session does not outlive its agent",
    async (context) => {
      const command = `(setsid sh -c 'echo $$ >> pids; exec sleep 600' &); until [ -s pids ]; do sleep 0.01; done; echo '{"status":"ok"}'`;
      const { launcher, pids } = await start(context, command, 1);
      await launcher.line(/^ok$/);
      context.expect(pids.map(hasEnded)).toEqual([true]);
    },
  );

  test.runIf(isLinux)("a guardian that was killed is replaced", async (context) => {
    const { launcher, pids } = await start(context, "echo $$ >> pids; exec sleep 600", 1);
    const children = await readFile(`/proc/${launcher.pid}/task/${launcher.pid}/children`, "utf8");
    const guardian = children
      .split(" ")
      .map(Number)
      .find((pid) => pid > 0 && !pids.includes(pid));
    context.expect(guardian).toBeDefined();
    process.kill(guardian ?? 0, "SIGKILL");
    await waitFor(async () => {
      const now = await readFile(`/proc/${launcher.pid}/task/${launcher.pid}/children`, "utf8");
      return now
        .split(" ")
        .map(Number)
        .some((pid) => pid > 0 && pid !== guardian && !pids.includes(pid));
    }, "another guardian");
    launcher.kill("SIGKILL");
    await launcher.exit();
    await untilAllEnded(pids);
  });
});
