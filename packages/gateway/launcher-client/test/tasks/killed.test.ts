import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type RunningProcess, waitFor } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launcherLabel, removeLeftContainers } from "../../src/tasks/container/task-image.ts";
import { type CrashSite, startCrashSite } from "../crash/crash-site.ts";
import type { Phase } from "../crash/phases.ts";
import { podmanTasks } from "./podman-tasks.ts";
import { answerTask } from "./task-files.ts";
import type { TaskLauncherOptions } from "./task-launcher-program.ts";

/** Each part takes long enough to be seen. */
const slow = {
  "solution/solve.sh": "#!/bin/sh\nsleep 3\necho 42 > /result\n",
  "tests/test.sh":
    "#!/bin/sh\nsleep 3\ngrep -q 42 /result && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n",
};
const tasks = await podmanTasks([
  answerTask("slow", '[environment]\ndocker_image = "@IMAGE@"\nworkdir = "/"\n', slow),
  answerTask("built", "", { ...slow, "environment/Dockerfile": "FROM @IMAGE@\nRUN sleep 3\n" }),
]);

async function podman(...args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)("podman", [...args]);
  return stdout.split("\n").filter((line) => line !== "");
}

/** The names of a launcher's containers, by whether they run. */
const containers = (pid: number | undefined, isRunning: boolean): Promise<readonly string[]> => {
  const which = ["--filter", `status=${isRunning ? "running" : "exited"}`];
  const own = ["--filter", `label=${launcherLabel}=${pid}`];
  return podman("ps", "--all", ...own, ...which, "--format", "{{.Names}}");
};

/** A part of a task's attempt, and how it shows that a launcher is in it. */
type Stage = (launcher: RunningProcess) => Promise<unknown>;
const reached: Stage = (launcher) => launcher.line(/^reached /, 60_000);
const building: Stage = () =>
  waitFor(
    async () =>
      (await podman("ps", "--all", "--external", "--quiet", "--filter", "name=working-container"))
        .length > 0,
    "the build",
    60_000,
  );
const agentWorks: Stage = ({ pid }) =>
  waitFor(async () => (await containers(pid, true))[0], "the agent's container", 60_000);
const verifierWorks: Stage = ({ pid }) =>
  waitFor(
    async () => (await containers(pid, false)).length === 1 && (await containers(pid, true))[0],
    "the verifier's container",
    60_000,
  );

/** A launcher of one simulation, whose attempts it can tell. */
async function play(site: CrashSite, job_id: string, task: string) {
  const { db_url, llm_model, gateway, store } = site;
  await store.addSimulations(job_id, [
    { simulation_id: task, env_name: task, env_params: null, group_id: null },
  ]);
  return {
    start: (heartbeatTimeoutMs: number, hold: Phase | null): RunningProcess => {
      const options: TaskLauncherOptions = {
        ...{ job_id, db_url, llm_model, heartbeatTimeoutMs, hold },
        gateway_base_url: gateway.baseUrl,
        task: join(tasks.folder, task),
      };
      return site.start("../tasks/task-launcher-program.ts", JSON.stringify(options));
    },
    ends: async () => {
      const { environments } = await store.readEnvironments({ job_id });
      return environments.map(({ status, reward }) => [status, reward]);
    },
  };
}

let site: CrashSite;
beforeAll(async () => {
  if (!tasks.isLeftOut) site = await startCrashSite();
});
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
});

// Containers mostly wait for podman: several play at once.
describe.skipIf(tasks.isLeftOut).concurrent("a task has one reward", { timeout: 240_000 }, () => {
  const again = [
    ["interrupted", null],
    ["finished", 1],
  ];
  test.each<[string, string, Stage, Phase | null, unknown]>([
    ["its image is built", "built", building, null, again],
    ["the agent works", "slow", agentWorks, null, again],
    ["the verifier works", "slow", verifierWorks, null, again],
    ["the reward is not yet stored", "slow", reached, "evaluated", again],
    ["the reward is stored", "slow", reached, "reward committed", [["finished", 1]]],
  ])("though its launcher is killed while %s", async (name, task, stage, hold, ends) => {
    const job = await play(site, name, task);
    const killed = job.start(60_000, hold);
    await stage(killed);
    killed.kill("SIGKILL");
    await killed.exit();
    const isOver = async () => (await containers(killed.pid, true)).length === 0;
    await waitFor(isOver, "the end of its containers", 60_000);
    expect(await job.start(1_000, null).exit(120_000)).toEqual({ code: 0, signal: null });
    expect(await job.ends()).toEqual(ends);
  });

  test.each([
    ["the agent works", agentWorks],
    ["the verifier works", verifierWorks],
  ])("though the gateway is killed while %s, and is away when it ends", async (name, stage) => {
    await using own = await startCrashSite();
    const job = await play(own, name, "slow");
    const launcher = job.start(60_000, null);
    await stage(launcher);
    const startGateway = await own.killGateway();
    await launcher.line(/"gateway_unavailable"/, 60_000);
    await startGateway();
    expect(await launcher.exit(120_000)).toEqual({ code: 0, signal: null });
    expect((await job.ends()).filter(([, reward]) => reward !== null)).toEqual([["finished", 1]]);
  });

  test("though somebody ends its verifier", async () => {
    const job = await play(site, "verifier ended", "slow");
    const launcher = job.start(60_000, null);
    const verifier = await verifierWorks(launcher);
    await podman("kill", String(verifier));
    expect(await launcher.exit(120_000)).toEqual({ code: 0, signal: null });
    expect(await job.ends()).toEqual([
      ["infrastructure", null],
      ["finished", 1],
    ]);
  });
});

test.skipIf(tasks.isLeftOut)("no container of a killed launcher is left", async () => {
  await removeLeftContainers("podman", new AbortController().signal);
  expect(await podman("ps", "--all", "--quiet", "--filter", `label=${launcherLabel}`)).toEqual([]);
});
