import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SimulationResult, SimulationStartRequest } from "@proj/gateway-protocol";
import { temporaryFolder } from "@proj/test-kit";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  type AgentRuntime,
  commandRuntime,
  keptFolders,
  type LaunchTimeouts,
  readRecipe,
  recipeRuntime,
  type Sandbox,
} from "../../src/index.ts";
import { announcement } from "../../src/sandbox/sandbox.ts";
import { cutOff } from "../../src/simulation/truncation.ts";
import { startRequest } from "../start-request.ts";
import { type Rollout, simulations, startRollout, takeTwoSteps } from "./rollout.ts";

let rollout: Rollout;
beforeAll(async () => {
  rollout = await startRollout();
});
afterAll(() => rollout[Symbol.asyncDispose]());

async function play(run: AgentRuntime["run"], timeouts: Partial<LaunchTimeouts>) {
  const runtime = { description: "a queued runtime", isQueued: true, run };
  const job = rollout.job();
  const manager = job.manager({ runtime, timeouts, infrastructureAttempts: 1 });
  await manager.add(simulations(1));
  await manager.run();
  return (await job.environments())[0];
}

async function played(request: SimulationStartRequest): Promise<SimulationResult> {
  await takeTwoSteps(request);
  return cutOff(request, "agent");
}

test("a queued agent's time begins when the agent begins", async () => {
  const hang = (signal: AbortSignal) => sleep(60_000, null, { signal });
  const simulationMs = 1_000;
  const [finished, timedOut, notBegun] = await Promise.all([
    play(
      async (request, { begun }) => {
        await sleep(20);
        begun?.();
        return played(request);
      },
      { simulationMs: 60_000, queueMs: 10_000 },
    ),
    play(
      async (request, { begun, signal }) => {
        await sleep(simulationMs + 100);
        begun?.();
        await played(request);
        await hang(signal);
        return cutOff(request, "agent");
      },
      { simulationMs, queueMs: 60_000 },
    ),
    play(
      async (request, { signal }) => {
        await hang(signal);
        return cutOff(request, "agent");
      },
      { simulationMs: 60_000, queueMs: 50 },
    ),
  ]);
  expect(finished?.status).toBe("finished");
  expect(timedOut?.error).toMatch(/^runtime_timeout: .*timed out after 1 s$/);
  expect(notBegun).toMatchObject({ status: "infrastructure", reward: null });
  expect(notBegun?.error).toMatch(/^runtime_not_started: .*timed out after 0.05 s in its queue$/);
});

/** Runs commands here, once a file appears. */
const cluster = (gate: string): Sandbox => ({
  description: "a cluster",
  isElsewhere: true,
  enter: ({ script, env, cwd }) => {
    const queue = `until [ -e "${gate}" ]; do sleep 0.02; done`;
    const args = ["-c", `${queue}\n${announcement}${script}`];
    return { file: "/bin/sh", args, env: { ...env }, cwd, user: null, isAnnounced: true };
  },
});

test("a command in a cluster begins when it says so, and so does its recipe's time", async () => {
  const parent = await temporaryFolder();
  onTestFinished(() => parent.remove());
  const gate = join(parent.path, "gate");
  const told = join(parent.path, "told");
  // Neither ends before the launcher has heard that it began.
  const command = `until [ -e "${told}" ]; do sleep 0.02; done; echo '{"status":"ok"}'`;
  const { signal } = new AbortController();
  const options = { sandbox: cluster(gate) };
  const env_params = { prompt: "Hang.", time_limit_s: 0.2 };
  const order: string[] = [];
  const run = (runtime: AgentRuntime, name: string) => {
    expect(runtime.isQueued).toBe(true);
    const folder = keptFolders(parent.path).of(name);
    const begun = () => void order.push(name);
    return runtime.run({ ...startRequest, env_params }, { signal, folder, begun });
  };
  const recipe = readRecipe({ name: "hanging", command: "sleep 60" });
  const runs = Promise.all([
    run(commandRuntime(command, options), "command"),
    run(recipeRuntime(recipe, options), "recipe"),
  ]);
  // One that waits for nothing has used up its time meanwhile.
  const folder = keptFolders(parent.path).of("here");
  const here = recipeRuntime(recipe).run({ ...startRequest, env_params }, { signal, folder });
  expect(await here).toMatchObject({ truncated_by: "time_limit" });
  expect(order).toEqual([]);
  await writeFile(gate, "");
  await expect.poll(() => [...order].sort()).toEqual(["command", "recipe"]);
  await writeFile(told, "");
  expect(await runs).toMatchObject([{ truncated: false }, { truncated_by: "time_limit" }]);
});
