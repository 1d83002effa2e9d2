import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isLeftOut, temporaryFolder, waitFor } from "@proj/test-kit";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { commandRuntime, keptFolders, slurm } from "../../src/index.ts";
import { failureOf } from "../runtime/failure-of.ts";
import { saidByAgent } from "../runtime/said-by-agent.ts";
import { startRequest } from "../start-request.ts";
import { expectRewardsDespiteKills } from "./killed-cluster.ts";
import { startSlurm } from "./slurm-cluster.ts";

const cluster = await startSlurm();
Object.assign(process.env, cluster?.env);
afterAll(() => cluster?.[Symbol.asyncDispose]());
const leftOut = isLeftOut("agents in Slurm", cluster !== null, "install slurm-wlm; run as root");
const sandbox = slurm();
const jobs = async (): Promise<readonly string[]> => (await cluster?.jobs()) ?? [];

/** Slurm asks a node again, after a minute, whose answer about a job's end it missed. */
const jobEndMs = 180_000;

/** Runs an agent that never ends. @returns once it works; `ended` resolves with its failure */
async function beginAgent(signal: AbortSignal): Promise<{ readonly ended: Promise<unknown> }> {
  const parent = await temporaryFolder();
  onTestFinished(() => parent.remove());
  const folder = keptFolders(parent.path).of(startRequest.session_id);
  const { work } = await folder.open();
  const command = "echo > begun; while :; do sleep 0.02; done";
  const run = commandRuntime(command, { sandbox }).run(startRequest, { signal, folder });
  const ended = run.catch((error: unknown) => error);
  const hasBegun = () => readFile(join(work, "begun")).then(Boolean, () => false);
  await waitFor(hasBegun, "the agent");
  return { ended };
}

/** Two steps, like an agent on another machine: what it needs is in its start request. */
const agent = `${process.execPath} -e '
const { llm_base_url, llm_model: model } = JSON.parse(process.env.SIMULATION_START_REQUEST);
const body = JSON.stringify({ model, messages: [{ role: "user", content: "19 + 23" }] });
const headers = { "content-type": "application/json" };
for (let at = 0; at < 2; at++) {
  const { status } = await fetch(llm_base_url + "/chat/completions", { method: "POST", headers, body });
  if (status !== 200) process.exit(1);
}
console.log(JSON.stringify({ status: "completed" }));' --input-type=module`;

describe.skipIf(leftOut)("an agent in Slurm", { timeout: 200_000 }, () => {
  test("has its folder, its variables and its limits, and is a job", async () => {
    const env = { TOKEN: "only for the agent, with a comma" };
    const limits = { memoryBytes: 2 ** 29 };
    const place = slurm({ options: ["--comment=ours"], timeLimitMs: 120_000 });
    const show = 'scontrol show job "$SLURM_JOB_ID" | tr " " "\\n"';
    const text = await saidByAgent(`echo "$TOKEN"; pwd; ulimit -d; ${show}`, {
      ...{ env, limits, sandbox: place },
      passEnv: ["SLURM_CONF"],
    });
    expect(text).toContain(env.TOKEN);
    expect(text).toMatch(/session-1\/work\n524288\n/);
    expect(text).toMatch(/^JobName=launcher-session-1$/m);
    expect(text).toMatch(/^TimeLimit=00:02:00$/m);
    expect(text).toMatch(/^MinMemoryNode=512M$/m);
    expect(text).toMatch(/^Comment=ours$/m);
  });

  test("that Slurm refuses has not started; one that fails has", async () => {
    const refused = commandRuntime("echo 1", { sandbox: slurm({ options: ["--partition=no"] }) });
    expect(await failureOf(refused)).toMatchObject({
      code: "runtime_not_started",
      last_output: expect.stringContaining("invalid partition"),
    });
    const failed = commandRuntime("echo it said so >&2; exit 125", { sandbox });
    expect(await failureOf(failed)).toMatchObject({
      code: "runtime_exited",
      message: expect.stringContaining("it said so"),
    });
  });

  test("is gone after an abort, and so is its job", async () => {
    const abort = new AbortController();
    const { ended } = await beginAgent(abort.signal);
    abort.abort(new Error("stopped"));
    expect(await ended).toMatchObject({ message: "stopped" });
    await waitFor(async () => (await jobs()).length === 0, "the end of the job", jobEndMs);
  });

  test("that somebody cancels is lost, which is not its fault", async () => {
    const { ended } = await beginAgent(new AbortController().signal);
    await sandbox.abandon?.(startRequest.session_id);
    expect(await ended).toMatchObject({ code: "runtime_lost" });
    await waitFor(async () => (await jobs()).length === 0, "the end of the job", jobEndMs);
  });
});

test.skipIf(leftOut)(
  "fifty simulations in Slurm have one reward each, though launchers, controller and jobs are killed",
  { timeout: 500_000 },
  async () => {
    const end = async (job: string) => {
      await sandbox.abandon?.(job.replace("launcher-", ""));
      return true;
    };
    const killControl = async () => (await cluster?.killController())?.();
    const killed = { place: "slurm", agent, agents: jobs, end, killControl } as const;
    await expectRewardsDespiteKills(killed, 50, [8, 16, 24]);
    // A killed controller forgets its last seconds: what it now takes for running has no process.
    for (const job of await jobs()) await end(job);
    await waitFor(async () => (await jobs()).length === 0, "the end of all jobs", jobEndMs);
  },
);
