import type { OverviewBody } from "@proj/gateway-protocol";
import { gatewayPaths } from "@proj/gateway-protocol";
import { startDemoUpstream, startFaultyUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";

const paths = gatewayPaths();
const chat = (model: string) => ({ model, messages: [{ role: "user", content: "19 + 23?" }] });
const sum = (numbers: readonly number[] = []): number =>
  numbers.reduce((all, number) => all + number, 0);

test("returns the state of routes, their last hour and the storage", async () => {
  await using upstream = await startDemoUpstream();
  await using failing = await startFaultyUpstream(async (_request, reply) => {
    await reply.json({}, { status: 500 });
  });
  await using gateway = await startGateway({
    llm_routes: {
      demo: { base_url: upstream.url, max_concurrency: 7, max_queue: 9 },
      failing: { base_url: failing.url, retries: 0 },
    },
  });
  for (const model of ["demo", "demo", "failing"])
    await (await gateway.post(paths.sessionChatCompletions("s"), chat(model))).text();
  await gateway.post(paths.pauseRoute("failing"), { mode: "refuse" });
  await (await gateway.post(paths.sessionChatCompletions("s"), chat("failing"))).text();
  const read = async (): Promise<OverviewBody> =>
    (await fetch(`${gateway.url}/v1/overview`)).json() as Promise<OverviewBody>;
  await expect.poll(async () => sum((await read()).routes[1]?.traffic.failed)).toBe(2);
  const { routes, storage, sessions, notices, interval_ms, interval_elapsed_ms } = await read();
  expect(interval_elapsed_ms).toBeGreaterThanOrEqual(0);
  expect(interval_elapsed_ms).toBeLessThan(interval_ms);
  const [demo, other] = routes;
  expect(demo).toMatchObject({
    ...{ model: "demo", pause: null, in_flight: 0, waiting: 0, max_concurrency: 7, max_queue: 9 },
    replicas: [
      { replica: expect.stringContaining("127.0.0.1"), asked: true, ejected: false, in_flight: 0 },
    ],
  });
  expect([sum(demo?.traffic.calls), sum(demo?.traffic.failed)]).toEqual([2, 0]);
  expect(sum(demo?.traffic.completion_tokens)).toBeGreaterThan(0);
  expect(demo?.traffic.p50_ms.some((ms) => ms !== null)).toBe(true);
  expect(other).toMatchObject({ model: "failing", pause: "refuse" });
  expect(storage).toMatchObject({ status: "ready", type: "sqlite", lost_rows: 0 });
  expect(storage.file?.free_bytes).toBeGreaterThan(0);
  expect(sessions.active).toBe(1);
  expect(notices).toEqual([]);
});

test("accepts only the gateway's keys, and shows the operator's notices", async () => {
  const llm_routes = { demo: { base_url: "http://127.0.0.1:9/v1" } };
  const notices = () => ["The model 'demo' ends on 2027-01-01."];
  await using gateway = await startGateway(
    { llm_routes, auth: { api_keys: ["all"] } },
    { notices },
  );
  expect((await fetch(`${gateway.url}/v1/overview`)).status).toBe(401);
  const headers = { authorization: "Bearer all" };
  const body = await (await fetch(`${gateway.url}/v1/overview`, { headers })).json();
  expect(body).toMatchObject({ notices: notices() });
});
