import { gatewayPaths, type JobFeedBody } from "@proj/gateway-protocol";
import { type EnvironmentRow, openJobStore } from "@proj/session-store";
import { startDemoUpstream } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { expectError } from "./error-answer.ts";

const { jobFeed } = gatewayPaths();

/** A gateway beside a launcher that has claimed two groups of two simulations. */
async function startJob() {
  const upstream = await startDemoUpstream();
  const gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const store = await openJobStore({
    storage_type: "sqlite",
    storage_config: { db_url: `sqlite://${gateway.databasePath}` },
  });
  onTestFinished(async () => {
    await store.close();
    await gateway.close();
    await upstream.close();
  });
  const job_id = "a job/with a slash";
  const simulations = ["a1", "a2", "b1", "b2"].map((simulation_id) => {
    return { simulation_id, group_id: simulation_id.charAt(0), env_name: "maze", env_params: "{}" };
  });
  await store.addSimulations(job_id, simulations);
  const claimed = await store.claim({ job_id, owner: "me", limit: 4 });
  const end = async (simulation_id: string): Promise<EnvironmentRow> => {
    const row = claimed.find((each) => each.simulation_id === simulation_id);
    if (row === undefined) throw new Error("it was claimed");
    const { session_id } = row;
    await store.fail({ session_id, owner: "me", error: "x", result: null, max_attempts: 1 });
    return row;
  };
  const read = async (query: Parameters<typeof jobFeed>[1] = {}): Promise<JobFeedBody> => {
    const response = await fetch(gateway.url + jobFeed(job_id, query));
    expect(response.status).toBe(200);
    return (await response.json()) as JobFeedBody;
  };
  return { gateway, job_id, end, read };
}

test("groups come in the order in which they ended, from where the reader left off", async () => {
  const { job_id, end, read } = await startJob();
  expect(await read()).toEqual({ job_id, groups: [], next_after: 0, is_finished: false });
  await end("b2");
  const { session_id } = await end("b1");
  const first = await read({ limit: 1 });
  expect(first).toMatchObject({ next_after: 1, is_finished: false });
  expect(first.groups).toMatchObject([{ position: 1, group_id: "b", rollouts: [{}, {}] }]);
  expect(first.groups[0]?.rollouts[0]).toEqual({
    session_id,
    simulation_id: "b1",
    attempt: 1,
    env_name: "maze",
    env_params: "{}",
    status: "failed",
    reward: null,
    error: "x",
  });
  await end("a1");
  expect(await read({ after: 1 })).toMatchObject({ groups: [], next_after: 1 });
  await end("a2");
  const second = await read({ after: 1 });
  expect(second).toMatchObject({ groups: [{ position: 2, group_id: "a" }], next_after: 2 });
  expect(second.is_finished).toBe(true);
  expect(await read({ after: 2 })).toMatchObject({ groups: [], next_after: 2, is_finished: true });
});

test("a waiting reader is answered when a group ends, and at once when the job is over", async () => {
  const { end, read } = await startJob();
  await end("a1");
  const waiting = read({ wait: 30 });
  await end("a2");
  expect((await waiting).groups).toHaveLength(1);
  await end("b1");
  await end("b2");
  expect(await read({ after: 2, wait: 30 })).toMatchObject({ groups: [], is_finished: true });
});

test("a waiting reader is answered when the gateway shuts down", async () => {
  const { gateway, job_id, end, read } = await startJob();
  await end("a1");
  const waiting = [read({ wait: 30 }), read({ wait: 30 })];
  const metrics = async () => (await fetch(`${gateway.url}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^gateway_connections_open 3$/m);
  // Both are already connected, so they are served before this one.
  await read();
  await gateway.gateway.close();
  for (const answer of await Promise.all(waiting))
    expect(answer).toEqual({ job_id, groups: [], next_after: 0, is_finished: false });
});

test("unknown jobs and unauthorised callers are refused", async () => {
  const { gateway, job_id } = await startJob();
  await expectError(await fetch(gateway.url + jobFeed("another")), "job_not_found");
  await expectError(await fetch(`${gateway.url}${jobFeed(job_id)}?after=x`), "invalid_request", {
    param: "after",
  });
  await expectError(await gateway.post(jobFeed(job_id), ""), "method_not_allowed");
  await using closed = await startGateway({
    llm_routes: { demo: { base_url: "http://x/v1" } },
    auth: { api_keys: ["k".repeat(32)] },
  });
  await expectError(await fetch(closed.url + jobFeed(job_id)), "invalid_api_key");
});
