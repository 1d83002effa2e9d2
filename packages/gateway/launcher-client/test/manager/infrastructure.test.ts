import { openJobStore } from "@proj/session-store";
import {
  chatCompletion,
  type FaultyUpstream,
  type ReplyHandler,
  startFaultyUpstream,
} from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGatewayClient } from "../../src/gateway/gateway-client.ts";
import {
  commandEvaluator,
  commandRuntime,
  exportFormats,
  exportRollouts,
  functionEvaluator,
  functionRuntime,
  type LauncherEvent,
  SimulationManager,
  type SimulationManagerOptions,
} from "../../src/index.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { storageOf } from "../temporary-storage.ts";
import { simulations, takeStep } from "./rollout.ts";

let upstream: FaultyUpstream;
let server: TestGateway;
let store: Awaited<ReturnType<typeof openJobStore>>;
beforeAll(async () => {
  upstream = await startFaultyUpstream();
  const policy = { base_url: upstream.url, retries: 0 };
  server = await startGateway({ config: { llm_routes: { policy } } });
  store = await openJobStore(storageOf(server.db_url));
});
afterAll(async () => {
  await store.close();
  await server.close();
  await upstream.close();
});

/** What the upstream answers, call by call. */
const answer = (...statuses: readonly number[]): void =>
  upstream.script(
    ...statuses.map(
      (status): ReplyHandler =>
        (_request, reply) => {
          const body = status === 200 ? chatCompletion() : { error: { message: "no luck" } };
          void reply.json(body, { status });
        },
    ),
  );

/** Takes two steps and calls that a success, whatever the answers. */
const careless = functionRuntime(async ({ llm_base_url, llm_model }) => {
  await takeStep(llm_base_url, llm_model);
  await takeStep(llm_base_url, llm_model);
  return { status: "completed" };
});

let jobs = 0;
async function play(options: Partial<SimulationManagerOptions> = {}) {
  const events: LauncherEvent[] = [];
  const job_id = `infrastructure-${jobs++}`;
  using gateway = createGatewayClient({ baseUrl: server.url });
  const manager = new SimulationManager({
    ...{ store, gateway, job_id, llm_model: "policy", runtime: careless },
    evaluator: functionEvaluator(() => 0),
    tell: (event) => events.push(event),
    ...options,
  });
  await manager.add(simulations(1));
  const job = await manager.run();
  const { environments } = await store.readEnvironments({ job_id });
  const ends = environments.map(({ status, error }) => `${status} ${error?.split(":")[0] ?? ""}`);
  return { job_id, job, ends: ends.map((end) => end.trim()), events };
}

async function exported(job_id: string, include_infrastructure: boolean): Promise<number> {
  const format = exportFormats.find(({ name }) => name === "atif");
  if (format === undefined) throw new Error("There are formats.");
  let lines = 0;
  for await (const _ of exportRollouts(store, { format, job_id, include_infrastructure })) lines++;
  return lines;
}

test.each([401, 404, 408, 429, 500, 503, 529])(
  "a last call that the route fails with %i does not earn a reward of 0: the simulation is played again",
  async (status) => {
    answer(200, status, 200, 200);
    const { job, ends, events } = await play();
    expect(job).toMatchObject({ finished: 1, failed: 0, infrastructure: 0 });
    expect(job).toMatchObject({ infrastructure_attempts: 1, mean_reward: 0 });
    expect(ends).toEqual(["infrastructure upstream_failed", "finished"]);
    const failed = events.find(({ event }) => event === "infrastructure_failed");
    expect(failed).toMatchObject({ error: expect.stringContaining(`ended with ${status}`) });
  },
);

test("a request that the model's server refuses is the agent's own failure", async () => {
  answer(200, 400);
  const { job, ends } = await play();
  expect(job).toMatchObject({ finished: 1, infrastructure_attempts: 0 });
  expect(ends).toEqual(["finished"]);
});

test("after a failed call that was answered the next time, the infrastructure is not at fault", async () => {
  answer(503, 200);
  expect(await play()).toMatchObject({ ends: ["finished"] });
});

test("an agent that breaks down after such a failure is not at fault either", async () => {
  answer(200, 503);
  const runtime = functionRuntime(async (request) => {
    await careless.run(request, { signal: new AbortController().signal });
    throw new Error("the model is gone");
  });
  const { ends } = await play({ runtime, infrastructureAttempts: 1 });
  expect(ends).toEqual(["infrastructure upstream_failed"]);
});

test("failures of the infrastructure have a count of their own, and are exported only on request", async () => {
  answer(200, 503, 200, 503, 200, 503);
  const { job_id, job, ends } = await play({ maxAttempts: 5 });
  expect(ends).toEqual(Array(3).fill("infrastructure upstream_failed"));
  expect(job).toMatchObject({ finished: 0, failed: 0, infrastructure: 1, mean_reward: null });
  expect(await exported(job_id, false)).toBe(0);
  expect(await exported(job_id, true)).toBeGreaterThan(0);
});

test("an evaluator that cannot be run is not the agent's failure, one that gives no score may be", async () => {
  const once = { infrastructureAttempts: 1, evaluationAttempts: 1 };
  answer(200, 200);
  const missing = await play({ evaluator: commandEvaluator("no-such-judge"), ...once });
  expect(missing.ends).toEqual(["infrastructure evaluator_exited"]);
  answer(200, 200);
  const vague = await play({ evaluator: commandEvaluator("echo '\"good\"'"), ...once });
  expect(vague.ends).toEqual(["failed evaluator_bad_result"]);
});

test("a sandbox that cannot be entered is not the agent's failure, an agent that exits is", async () => {
  const sandbox = {
    description: "a broken box",
    enter: ({ env }: { env: Readonly<Record<string, string>> }) => ({
      ...{ file: "/nonexistent/engine", args: [], env: { ...env }, cwd: "/", user: null },
    }),
  };
  const boxed = commandRuntime("true", { sandbox });
  const once = { infrastructureAttempts: 1 };
  expect((await play({ runtime: boxed, ...once })).ends).toEqual([
    "infrastructure runtime_not_started",
  ]);
  expect((await play({ runtime: commandRuntime("exit 3"), ...once })).ends).toEqual([
    "failed runtime_exited",
  ]);
});
