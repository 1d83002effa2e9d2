import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { waitFor } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { launcherLabel, removeLeftContainers } from "../../src/tasks/container/task-image.ts";
import { startCrashSite } from "../crash/crash-site.ts";
import { podmanTasks } from "./podman-tasks.ts";
import { answerTask } from "./task-files.ts";
import type { TaskLauncherOptions } from "./task-launcher-program.ts";

const slow = answerTask("slow", "", {
  "solution/solve.sh": "#!/bin/sh\nsleep 3\necho 42 > /app/result\n",
  "tests/test.sh":
    "#!/bin/sh\nsleep 3\ngrep -q 42 /app/result && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n",
});
const tasks = await podmanTasks([slow]);

/** Containers of launchers, by whether they run. */
async function containers(isRunning: boolean): Promise<number> {
  const which = isRunning ? [] : ["--filter", "status=exited"];
  const list = ["ps", ...(isRunning ? [] : ["--all"]), "--quiet"];
  const { stdout } = await promisify(execFile)("podman", [
    ...[...list, "--filter", `label=${launcherLabel}`],
    ...which,
  ]);
  return stdout.split("\n").filter((id) => id !== "").length;
}

describe.skipIf(tasks.isLeftOut)("a launcher of tasks is killed and started again", () => {
  test.each([
    ["the agent works", async () => (await containers(true)) === 1],
    [
      "the verifier works",
      async () => (await containers(true)) === 1 && (await containers(false)) === 1,
    ],
  ])("while %s: one reward, and no container is left", { timeout: 240_000 }, async (_, isThere) => {
    await using site = await startCrashSite();
    const { db_url, llm_model, gateway, store } = site;
    const job_id = "tasks";
    await store.addSimulations(job_id, [
      { simulation_id: "slow", env_name: "slow", env_params: null, group_id: null },
    ]);
    const start = (heartbeatTimeoutMs: number) => {
      const options: TaskLauncherOptions = {
        ...{ job_id, db_url, llm_model, heartbeatTimeoutMs },
        gateway_base_url: gateway.baseUrl,
        task: join(tasks.folder, "slow"),
      };
      return site.start("../tasks/task-launcher-program.ts", JSON.stringify(options));
    };
    const killed = start(60_000);
    await waitFor(isThere, "the container", 60_000);
    killed.kill("SIGKILL");
    await killed.exit();
    await waitFor(async () => (await containers(true)) === 0, "the end of containers", 60_000);

    const next = start(1_000);
    expect(await next.exit(120_000)).toEqual({ code: 0, signal: null });
    const { environments } = await store.readEnvironments({ job_id });
    expect(environments.map(({ status, reward }) => [status, reward])).toEqual([
      ["interrupted", null],
      ["finished", 1],
    ]);
    await removeLeftContainers("podman", new AbortController().signal);
    expect((await containers(true)) + (await containers(false))).toBe(0);
  });
});
