import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { type EnvironmentRow, type JobStore, openJobStore } from "@proj/session-store";
import { chatCompletion, startFaultyUpstream, temporaryFolder } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { createGatewayClient } from "../../src/gateway/gateway-client.ts";
import {
  type AgentRuntime,
  commandRuntime,
  examineJob,
  functionEvaluator,
  functionRuntime,
  SimulationManager,
} from "../../src/index.ts";
import { startGateway } from "../start-gateway.ts";
import { storageOf } from "../temporary-storage.ts";
import { simulations, takeStep } from "./rollout.ts";

interface Played {
  readonly environment: EnvironmentRow;
  /** Of the rewarded row: `is_truncated`. */
  readonly row: boolean;
  readonly store: JobStore;
  readonly calls: number;
  /** What the evaluator saw. */
  readonly seen: boolean;
}

/** A simulation of an agent with a budget of three steps; the model's last answer has the finish reason. */
async function play(runtime: AgentRuntime, { finish = "stop" } = {}): Promise<Played> {
  const [choice] = chatCompletion().choices;
  const answer = { ...chatCompletion(), choices: [{ ...choice, finish_reason: finish }] };
  const upstream = await startFaultyUpstream(async (_, reply) => {
    await reply.json(answer);
  });
  const server = await startGateway({
    config: { llm_routes: { demo: { base_url: upstream.url } }, max_steps: 3 },
  });
  const gateway = createGatewayClient({ baseUrl: server.url });
  const store = await openJobStore(storageOf(server.db_url));
  onTestFinished(async () => {
    gateway.end();
    await store.close();
    await server.close();
    await upstream.close();
  });
  let seen = false;
  const manager = new SimulationManager({
    ...{ store, gateway, job_id: "job", llm_model: "demo", runtime },
    evaluator: functionEvaluator(({ result }) => {
      seen = result.truncated;
      return 0.5;
    }),
    timeouts: { stopLookMs: 50, stopGraceMs: 200, simulationMs: 60_000 },
  });
  await manager.add(simulations(1));
  await manager.run(new AbortController().signal);
  const [environment] = (await store.readEnvironments({ job_id: "job" })).environments;
  if (environment === undefined) throw new Error("there is no attempt");
  const { steps } = await store.readSteps({ session_id: environment.session_id });
  return {
    ...{ environment, store, seen },
    row: steps.some((step) => step.is_session_completed && step.is_truncated),
    calls: steps.length,
  };
}

/** Every place that tells of it. */
async function tellings({ environment, row, store, seen }: Played): Promise<object> {
  const { truncated, truncated_by } = JSON.parse(environment.result ?? "{}");
  const doctor = (await examineJob(store, "job")).truncated_by;
  return {
    status: environment.status,
    reward: environment.reward,
    truncated,
    truncated_by,
    row,
    seen,
    doctor,
  };
}

const cutBy = (cause: string): object => ({
  ...{ status: "finished", reward: 0.5, truncated: true, truncated_by: cause },
  ...{ row: true, seen: true, doctor: { [cause]: 1 } },
});

const steps = (count: number) => async (request: SimulationStartRequest) => {
  for (let step = 0; step < count; step += 1) await takeStep(request.llm_base_url, "demo");
  return { status: "completed" };
};

test("an agent that never ends by itself is ended, and scored for what it did", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const agent = join(folder.path, "agent.mjs");
  // Like cline and react(): whatever is answered, it asks on, and a refusal does not stop it either.
  await writeFile(
    agent,
    `const { llm_base_url } = JSON.parse(process.env.SIMULATION_START_REQUEST);
     for (;;) {
       const body = JSON.stringify({ model: "demo", messages: [{ role: "user", content: "on" }] });
       await fetch(llm_base_url + "/chat/completions", { method: "POST", body }).then((it) => it.text());
       await new Promise((resolve) => setTimeout(resolve, 10));
     }`,
  );
  await chmod(agent, 0o755);
  const played = await play(commandRuntime(`"${process.execPath}" ${agent}`));
  expect(await tellings(played)).toEqual(cutBy("budget"));
  expect(played.calls).toBe(3);
  expect(JSON.parse(played.environment.result ?? "").error_text).toMatch(
    /after its budget was spent/,
  );
});

test("an agent that fails at the refusal is scored too", async () => {
  const asking = async (request: SimulationStartRequest): Promise<never> => {
    for (let status = 200; status === 200; ) status = await takeStep(request.llm_base_url, "demo");
    throw new Error("400 budget_spent");
  };
  const played = await play(functionRuntime(asking));
  expect(await tellings(played)).toEqual(cutBy("budget"));
});

test("an agent that ends at the stop was cut off, and one that just fitted was not", async () => {
  expect(await tellings(await play(functionRuntime(steps(4))))).toEqual(cutBy("budget"));
  expect(await tellings(await play(functionRuntime(steps(3))))).toEqual({
    ...{ status: "finished", reward: 0.5, truncated: false, truncated_by: null },
    ...{ row: false, seen: false, doctor: {} },
  });
});

test("the agent's word, a last answer that was cut, and a close by somebody else count too", async () => {
  const said = functionRuntime(async (request) => ({
    ...(await steps(1)(request)),
    truncated: true,
  }));
  expect(await tellings(await play(said))).toEqual(cutBy("agent"));
  const cut = await play(functionRuntime(steps(1)), { finish: "length" });
  expect(await tellings(cut)).toEqual(cutBy("length"));
  const closed = functionRuntime(async (request) => {
    await takeStep(request.llm_base_url, "demo");
    await fetch(`${request.llm_base_url}/close`, { method: "POST", body: '{"reason":"enough"}' });
    return { status: "completed" };
  });
  expect(await tellings(await play(closed))).toEqual(cutBy("closed"));
});

test("without a spent budget an agent that fails is not scored", async () => {
  const failing = functionRuntime(async (request) => {
    await takeStep(request.llm_base_url, "demo");
    throw new Error("no");
  });
  const { environment } = await play(failing);
  expect([environment.status, environment.reward]).toEqual(["failed", null]);
});
