import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forkSimulations, functionRuntime, replaySimulations } from "../../src/index.ts";
import { type Rollout, simulations, startRollout, takeTwoSteps } from "./rollout.ts";

let rollout: Rollout;
beforeAll(async () => {
  rollout = await startRollout();
});
afterAll(() => rollout[Symbol.asyncDispose]());

const replayedIn = async (session_id: string): Promise<unknown[]> =>
  (await rollout.store.readSteps({ session_id })).steps.map(
    ({ meta_json }) => JSON.parse(meta_json).replayed_from?.step_id ?? null,
  );

async function recordedSession(): Promise<{ job_id: string; session_id: string }> {
  const job = rollout.job();
  const manager = job.manager();
  await manager.add(simulations(1));
  const { job_id } = await manager.run();
  return { job_id, session_id: (await job.environments())[0]?.session_id ?? "" };
}

test("every attempt of a fork begins from the same state", async () => {
  const { session_id } = await recordedSession();
  const forked = await forkSimulations(rollout.store, {
    ...{ session_id, step: 1, llm_model: "demo", times: 2 },
  });
  expect(forked.map(({ env_params }) => env_params)).toEqual(Array(2).fill('{"index":0}'));
  const job = rollout.job();
  // The first attempts fail after their first step.
  const runtime = functionRuntime(async (request: SimulationStartRequest) => {
    const result = await takeTwoSteps(request);
    if (request.attempt === 1) throw new Error("lost its way");
    return result;
  });
  const manager = job.manager({ runtime, maxAttempts: 2 });
  await manager.add(forked);
  expect(await manager.run()).toMatchObject({ simulations: 2, finished: 2 });
  const environments = await job.environments();
  expect(environments).toHaveLength(4);
  for (const each of environments) {
    expect(each.group_id).toBe(`${session_id}@1`);
    expect(await replayedIn(each.session_id)).toEqual([1, null]);
  }
});

test("a replay that diverges fails its agent and asks no model", async () => {
  const { job_id } = await recordedSession();
  const job = rollout.job();
  const statuses: number[] = [];
  const runtime = functionRuntime(async ({ llm_base_url }: SimulationStartRequest) => {
    const answer = await fetch(`${llm_base_url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "demo", messages: [{ role: "user", content: "else" }] }),
    });
    statuses.push(answer.status);
    throw new Error(await answer.text());
  });
  const manager = job.manager({ runtime });
  await manager.add(await replaySimulations(rollout.store, job_id));
  expect(await manager.run()).toMatchObject({ failed: 1 });
  expect(statuses).toEqual([409]);
  const [{ error = "", session_id = "" } = {}] = await job.environments();
  expect(error).toContain("replay_diverged");
  expect(await replayedIn(session_id)).toEqual([]);
});

test("a simulation with an origin that cannot be replayed fails with the gateway's reason", async () => {
  const job = rollout.job();
  const manager = job.manager();
  const origin = { from_session_id: "nowhere", model: null, step: null } as const;
  const fork = { ...origin, mode: "fork", ignore: [] } as const;
  await manager.add(simulations(1).map((simulation) => ({ ...simulation, fork })));
  expect(await manager.run()).toMatchObject({ failed: 1 });
  const [environment] = await job.environments();
  expect(environment?.error).toBe("fork_refused: Nothing is stored for session 'nowhere'.");
});

test("a session without steps is not replayed, and a missing step cannot be forked from", async () => {
  const { session_id } = await recordedSession();
  expect(await replaySimulations(rollout.store, "no such job")).toEqual([]);
  const asked = { session_id, step: 9, llm_model: "demo", times: 1 };
  await expect(forkSimulations(rollout.store, asked)).rejects.toThrow(
    `session '${session_id}' has no step 9 of the model 'demo'`,
  );
});
