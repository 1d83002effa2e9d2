import {
  chatCompletion,
  chatStream,
  closeWhenReused,
  type FaultyUpstream,
  jsonBytes,
  type ReplyHandler,
  resetBeforeHeaders,
  startFaultyUpstream,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { chatPath, chatRequest, onlyStep } from "../telemetry/bound-calls.ts";
import { rawCall } from "../telemetry/raw-caller.ts";
import { atRest } from "./at-rest.ts";
import { expectNoWarnings } from "./no-warnings.ts";

// However many attempts are needed, and whichever replica answers, it is one step.

expectNoWarnings();

const completion = jsonBytes(chatCompletion());
const answer: ReplyHandler = (_request, reply) => void reply.send(completion);
const busy =
  (status: number): ReplyHandler =>
  (_request, reply) =>
    void reply.json({ error: {} }, { status, headers: { "retry-after-ms": "1" } });

const gatewayFor = (
  upstreams: readonly FaultyUpstream[],
  route: Record<string, unknown>,
): Promise<TestGateway> =>
  startGateway({
    llm_routes: { policy: { base_urls: upstreams.map(({ url }) => url), ...route } },
  });

test("retries are attempts of one step", async () => {
  await using upstream = await startFaultyUpstream(answer);
  await using gateway = await gatewayFor([upstream], { retries: 3, max_concurrency: 1 });
  upstream.script(busy(503), resetBeforeHeaders(), busy(429));
  const response = await gateway.post(chatPath("s"), chatRequest());
  expect(response.status).toBe(200);
  expect(response.headers.get("x-gateway-step-id")).toBe("1");
  const bodies = upstream.requests.map(({ body }) => body.toString());
  expect(bodies).toEqual(Array(4).fill(JSON.stringify(chatRequest())));
  await atRest(gateway, "s");
  expect(await onlyStep(gateway, "s")).toMatchObject({
    step_id: 1,
    status_code: 200,
    meta: { attempts: 4, outcome: "completed", upstream_status_code: 200 },
  });
});

test("the answer to the last attempt is the caller's", async () => {
  await using upstream = await startFaultyUpstream(busy(503));
  await using gateway = await gatewayFor([upstream], { retries: 2 });
  const response = await gateway.post(chatPath("s"), chatRequest());
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ error: {} });
  expect(upstream.requests.length).toBe(3);
  expect(await onlyStep(gateway, "s")).toMatchObject({ status_code: 503, meta: { attempts: 3 } });
});

test("nothing is retried once a byte of the answer has come", async () => {
  await using upstream = await startFaultyUpstream(async (_request, reply) => {
    await reply.startEvents();
    await reply.write(chatStream(chatCompletion())[0] ?? "");
    reply.reset();
  });
  await using gateway = await gatewayFor([upstream], { retries: 3 });
  await using caller = await rawCall(gateway, chatPath("s"), chatRequest({ stream: true }));
  expect(await caller.untilClosed()).toMatchObject({ status: 200, whole: true });
  expect(upstream.requests.length).toBe(1);
  expect(await onlyStep(gateway, "s")).toMatchObject({ status_code: 502, meta: { attempts: 1 } });
});

test("a caller that leaves before a retry ends the attempts", async () => {
  const busyForLong: ReplyHandler = (_request, reply) =>
    void reply.json({}, { status: 503, headers: { "retry-after": "5" } });
  await using upstream = await startFaultyUpstream(busyForLong);
  await using gateway = await gatewayFor([upstream], { retries: 3, max_concurrency: 1 });
  await using caller = await rawCall(gateway, chatPath("s"), chatRequest());
  await upstream.nextRequest();
  caller.connection.destroy();
  await atRest(gateway, "s");
  expect(await onlyStep(gateway, "s")).toMatchObject({
    status_code: 499,
    meta: { outcome: "caller_gone", attempts: 1 },
  });
  expect(upstream.requests.length).toBe(1);
});

test("a reused connection that turns out to be closed costs only one attempt", async () => {
  await using upstream = await startFaultyUpstream(closeWhenReused(answer));
  await using gateway = await gatewayFor([upstream], { retries: 0 });
  for (const session_id of ["first", "second"]) {
    const response = await gateway.post(chatPath(session_id), chatRequest());
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    await atRest(gateway, session_id);
  }
  expect(await onlyStep(gateway, "first")).toMatchObject({ meta: { attempts: 1 } });
  expect(await onlyStep(gateway, "second")).toMatchObject({
    step_id: 1,
    status_code: 200,
    meta: { attempts: 2, outcome: "completed" },
  });
  expect(upstream.requests.map(({ orderOnConnection }) => orderOnConnection)).toEqual([1, 2, 1]);
});

const sessions = Array.from({ length: 8 }, (_, index) => `session-${index}`);

test("a session stays with its replica, and others take over while that one is ejected", async () => {
  let isDown: FaultyUpstream | null = null;
  const answerUnlessDown: ReplyHandler = (request, reply) =>
    isDown?.requests.includes(request) ? reply.reset() : answer(request, reply);
  await using one = await startFaultyUpstream(answerUnlessDown);
  await using other = await startFaultyUpstream(answerUnlessDown);
  await using gateway = await gatewayFor([one, other], { retries: 1 });
  const replicaOf = async (session_id: string): Promise<FaultyUpstream> => {
    const before = one.requests.length;
    expect((await gateway.post(chatPath(session_id), chatRequest())).status).toBe(200);
    return one.requests.length > before ? one : other;
  };
  const home = new Map<string, FaultyUpstream>();
  for (const session_id of sessions) home.set(session_id, await replicaOf(session_id));
  for (const session_id of sessions) expect(await replicaOf(session_id)).toBe(home.get(session_id));
  for (const [session_id, replica] of home) {
    const names = gateway.steps(session_id).map(({ meta }) => meta.replica);
    expect(names).toEqual([replica.url, replica.url]);
  }

  const [moved = ""] = sessions;
  const away = home.get(moved) ?? one;
  const stays = away === one ? other : one;
  // Three lost connections eject it.
  isDown = away;
  for (let failure = 0; failure < 3; failure += 1) {
    const before = stays.requests.length;
    expect((await gateway.post(chatPath(moved), chatRequest())).status).toBe(200);
    expect(stays.requests.length).toBe(before + 1);
  }
  const asked = away.requests.length;
  for (const session_id of sessions)
    expect((await gateway.post(chatPath(session_id), chatRequest())).status).toBe(200);
  expect(away.requests.length).toBe(asked);

  await atRest(gateway, ...sessions);
  const steps = gateway.steps(moved);
  expect(steps.map(({ step_id }) => step_id)).toEqual([1, 2, 3, 4, 5, 6]);
  const neededMore = steps.filter(({ meta }) => Number(meta.attempts) > 1);
  expect(neededMore.map(({ step_id }) => step_id)).toEqual([3, 4, 5]);
});

test("an answer of 429 or 5xx ejects no replica", async () => {
  await using one = await startFaultyUpstream(busy(503));
  await using other = await startFaultyUpstream(busy(429));
  await using gateway = await gatewayFor([one, other], {});
  const replicas = new Set<unknown>();
  for (let turn = 0; turn < 6; turn += 1) await gateway.post(chatPath("s"), chatRequest());
  await atRest(gateway, "s");
  for (const { meta } of gateway.steps("s")) replicas.add(meta.replica);
  expect(replicas.size).toBe(1);
});
