import { chatCompletion, chatStream, waitFor } from "@proj/test-kit";
import { expect, type TestContext, test } from "vitest";
import {
  startUpstreamBySession,
  type UpstreamBySession,
} from "../recording/upstream-by-session.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { chatPath, chatRequest, metric, onlyStep, stepsOnceThereAre } from "./bound-calls.ts";
import { rawCall } from "./raw-caller.ts";
import { holdWriteLock, type WriteLock } from "./write-lock.ts";

const completion = chatCompletion();
const events = chatStream(completion).map(String);

async function start(
  { onTestFinished }: TestContext,
  telemetry: Record<string, unknown> = { write_timeout_s: 4 },
): Promise<{
  gateway: TestGateway;
  upstream: UpstreamBySession;
  lock: () => WriteLock;
}> {
  const upstream = await startUpstreamBySession();
  onTestFinished(() => upstream.close());
  const gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url } },
    telemetry,
  });
  onTestFinished(() => gateway.close());
  return { gateway, upstream, lock: () => holdWriteLock(gateway.databasePath) };
}

async function readiness(gateway: TestGateway) {
  const answer = await fetch(`${gateway.url}/readyz`);
  return { status: answer.status, body: (await answer.json()) as { status: string } };
}

const isReady = async (gateway: TestGateway) => (await readiness(gateway)).status === 200;

async function latestSuccess(gateway: TestGateway, session_id: string): Promise<unknown> {
  const url = `${gateway.sessionUrl(session_id)}/latest-success-step?model=policy`;
  return ((await (await fetch(url)).json()) as { step_id: unknown }).step_id;
}

// Most wait for time-outs, each with a gateway of its own.
test.concurrent("a row that is not written in time turns a plain answer into a non-retryable 503", async (context) => {
  const { gateway, upstream, lock } = await start(context);
  upstream.answer("late", (_request, reply) => void reply.json(completion));
  using held = lock();
  const answer = await gateway.post(chatPath("late"), chatRequest());
  expect(answer.status).toBe(503);
  expect(answer.headers.get("x-should-retry")).toBe("false");
  expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(answer.headers.get("x-gateway-step-id")).toBe("1");
  expect(await answer.json()).toMatchObject({
    error: { code: "telemetry_unavailable", type: "server_error", param: null },
  });
  expect(gateway.steps("late")).toEqual([]);
  held.release();
  const step = await onlyStep(gateway, "late");
  expect(step).toMatchObject({
    status_code: 503,
    response: JSON.stringify(completion),
    meta: { status_code: 503, upstream_status_code: 200, outcome: "not_delivered" },
  });
  await waitFor(() => isReady(gateway), "the gateway to be ready again");
  expect(gateway.steps("late")).toHaveLength(1);
  expect(await latestSuccess(gateway, "late")).toBeNull();
});

test.concurrent("a row that is not written in time ends a stream in an error event, without its terminal event", async (context) => {
  const { gateway, upstream, lock } = await start(context);
  upstream.answer("late", (_request, reply) => void reply.events(events));
  using held = lock();
  await using caller = await rawCall(gateway, chatPath("late"), chatRequest({ stream: true }));
  const { status, body, whole } = await caller.untilClosed();
  expect(status).toBe(200);
  expect(body).toMatch(
    /^data: \{"id".*\n\ndata: \{"error":.*"code":"telemetry_unavailable"\}\}\n\n$/s,
  );
  expect(body).not.toContain("[DONE]");
  expect(whole).toBe(true);
  held.release();
  expect(await onlyStep(gateway, "late")).toMatchObject({
    status_code: 503,
    meta: { upstream_status_code: 200, outcome: "not_delivered", finish_reason: "stop" },
  });
  expect(await latestSuccess(gateway, "late")).toBeNull();
});

test.concurrent("while storage is down new requests are refused before forwarding; it recovers by itself", async (context) => {
  const { gateway, upstream, lock } = await start(context);
  upstream.answer("down", (_request, reply) => void reply.json(completion));
  upstream.answer("other", (_request, reply) => void reply.json(completion));
  expect(await readiness(gateway)).toMatchObject({ status: 200, body: { status: "ready" } });
  using held = lock();
  await (await gateway.post(chatPath("down"), chatRequest())).text();
  await waitFor(async () => !(await isReady(gateway)), "the gateway to notice");
  expect(await readiness(gateway)).toMatchObject({
    status: 503,
    body: { status: "storage_unavailable" },
  });
  for (const session_id of ["down", "other"]) {
    const refused = await gateway.post(chatPath(session_id), chatRequest());
    expect(refused.status).toBe(503);
    expect(refused.headers.get("x-should-retry")).toBe("true");
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(refused.headers.get("x-gateway-step-id")).toBeNull();
    expect(await refused.json()).toMatchObject({ error: { code: "telemetry_unavailable" } });
  }
  expect(upstream.requests("down")).toHaveLength(1);
  expect(upstream.requests("other")).toHaveLength(0);
  held.release();
  await waitFor(() => isReady(gateway), "the gateway to be ready again");
  expect((await gateway.post(chatPath("down"), chatRequest())).status).toBe(200);
  expect((await gateway.post(chatPath("other"), chatRequest())).status).toBe(200);
  // A refused request took no number.
  const outcomes = gateway.steps("down").map(({ step_id, status_code }) => [step_id, status_code]);
  expect(outcomes).toEqual([
    [1, 503],
    [2, 200],
  ]);
  expect(gateway.steps("other")).toMatchObject([{ step_id: 1, status_code: 200 }]);
});

test.concurrent("a session that cannot be read from storage is refused before forwarding, and served once it can", async (context) => {
  const { gateway, upstream } = await start(context, {});
  upstream.answer("unread", (_request, reply) => void reply.json(completion));
  const renameTable = (from: string, to: string) =>
    gateway.database((database) =>
      database.exec(`pragma legacy_alter_table = on; alter table ${from} rename to ${to}`),
    );
  renameTable("stored_steps", "elsewhere");
  const refused = await gateway.post(chatPath("unread"), chatRequest());
  expect(refused.status).toBe(503);
  expect(refused.headers.get("x-should-retry")).toBe("true");
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(await refused.json()).toMatchObject({ error: { code: "telemetry_unavailable" } });
  expect(upstream.requests("unread")).toHaveLength(0);
  renameTable("elsewhere", "stored_steps");
  expect((await gateway.post(chatPath("unread"), chatRequest())).status).toBe(200);
  expect(gateway.steps("unread")).toMatchObject([{ step_id: 1, status_code: 200 }]);
});

test.concurrent("many waiting answers are refused together, and each is stored once, as not delivered", async (context) => {
  const { gateway, upstream, lock } = await start(context, { batch_size: 2, write_timeout_s: 4 });
  upstream.answer("many", (_request, reply) => void reply.json(completion));
  using held = lock();
  const calls = Array.from({ length: 5 }, () => gateway.post(chatPath("many"), chatRequest()));
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  held.release();
  const forwarded = upstream.requests("many").length;
  const steps = await stepsOnceThereAre(gateway, "many", forwarded);
  expect(steps.map(({ status_code }) => status_code)).toEqual(steps.map(() => 503));
  expect(new Set(steps.map(({ step_id }) => step_id)).size).toBe(forwarded);
});

test.concurrent("a full queue of rows refuses requests before forwarding until there is room again", async (context) => {
  const { gateway, upstream } = await start(context, { queue_max_rows: 2 });
  const calls = ["one", "two"].map((session_id) =>
    gateway.post(chatPath(session_id), chatRequest()),
  );
  const requests = [await upstream.request("one"), await upstream.request("two")];
  const refused = await gateway.post(chatPath("three"), chatRequest());
  expect(refused.status).toBe(503);
  expect(refused.headers.get("x-should-retry")).toBe("true");
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(await refused.json()).toMatchObject({ error: { code: "telemetry_unavailable" } });
  expect(upstream.requests("three")).toHaveLength(0);
  for (const { reply } of requests) await reply.json(completion);
  for (const answer of await Promise.all(calls)) expect(answer.status).toBe(200);
  upstream.answer("three", (_request, reply) => void reply.json(completion));
  expect((await gateway.post(chatPath("three"), chatRequest())).status).toBe(200);
  expect(gateway.steps("three")).toMatchObject([{ step_id: 1 }]);
});

test.concurrent("the queue is bounded in bytes too, and a request larger than the bound passes alone", async (context) => {
  const { gateway, upstream } = await start(context, { queue_max_bytes: 1_000 });
  const large = chatRequest({ user: "x".repeat(2_000) });
  const first = gateway.post(chatPath("large"), large);
  const { reply } = await upstream.request("large");
  const refused = await gateway.post(chatPath("small"), chatRequest());
  expect(refused.status).toBe(503);
  expect(upstream.requests("small")).toHaveLength(0);
  await reply.json(completion);
  expect((await first).status).toBe(200);
  upstream.answer("small", (_request, answer) => void answer.json(completion));
  expect((await gateway.post(chatPath("small"), chatRequest())).status).toBe(200);
});

test.concurrent("room in the queue is given back however a request ends", async (context) => {
  const { gateway, upstream } = await start(context, { queue_max_rows: 1 });
  upstream.answer("fails", (_request, reply) => reply.reset());
  await (await gateway.post(chatPath("fails"), chatRequest())).text();
  await using caller = await rawCall(gateway, chatPath("leaves"), chatRequest());
  const request = await upstream.request("leaves");
  caller.connection.reset();
  await request.closed();
  await onlyStep(gateway, "leaves");
  await waitFor(
    async () => (await metric(gateway, "gateway_telemetry_queue_rows")) === 0,
    "an empty queue",
  );
  upstream.answer("after", (_request, reply) => void reply.json(completion));
  expect((await gateway.post(chatPath("after"), chatRequest())).status).toBe(200);
});
