import { createServer } from "node:http";
import {
  chatCompletion,
  closeBeforeHeaders,
  listen,
  resetBeforeHeaders,
  sendGarbage,
  sendWrongLength,
} from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import {
  beginCall,
  chatPath,
  chatRequest,
  onlyStep,
  responsesPath,
} from "../telemetry/bound-calls.ts";
import { startUpstreamBySession, type UpstreamBySession } from "./upstream-by-session.ts";

// Rows of answers that are not streams. One gateway for all tests; each has its own session.

let upstream: UpstreamBySession;
let gateway: TestGateway;
const completion = JSON.stringify(chatCompletion());

beforeAll(async () => {
  upstream = await startUpstreamBySession();
  const gone = await listen(createServer());
  await gone.close();
  gateway = await startGateway({
    llm_routes: {
      policy: { base_url: upstream.url },
      unreachable: { base_url: `${gone.url}/v1`, retries: 1 },
      retried: { base_url: upstream.url, retries: 2 },
      replicated: { base_urls: [`${gone.url}/v1`, upstream.url], retries: 1 },
    },
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

async function status(session_id: string) {
  const body: unknown = await (await fetch(gateway.sessionUrl(session_id))).json();
  return body as { models: Record<string, { successes: number; latest_success_step: unknown }> };
}

test("a whole answer is recorded with the upstream's status, and is the latest success", async () => {
  upstream.answer("whole", (_request, reply) => void reply.send(completion));
  const answer = await gateway.post(chatPath("whole"), chatRequest());
  expect(await answer.text()).toBe(completion);
  expect(await onlyStep(gateway, "whole")).toMatchObject({
    status_code: 200,
    response: completion,
    meta: { status_code: 200, upstream_status_code: 200, outcome: "completed", error: null },
  });
  expect(await status("whole")).toMatchObject({
    models: { policy: { successes: 1, latest_success_step: 1 } },
  });
});

test.for([
  { status: 400, type: "application/json", body: '{"error":{"message":"bad","code":12}}' },
  { status: 401, type: "application/json", body: '{"error":{"message":"no key"}}' },
  { status: 429, type: "application/json", body: '{"error":{"message":"slow down"}}' },
  { status: 500, type: "text/html", body: "<html>broken</html>" },
])("an upstream's error is passed on unchanged and recorded: $status", async (error) => {
  const session_id = `error-${error.status}`;
  upstream.answer(session_id, (_request, reply) => {
    const headers = {
      "content-type": error.type,
      "retry-after": "7",
      "x-ratelimit-remaining-tokens": "0",
      "x-request-id": "req_error",
    };
    void reply.send(error.body, { status: error.status, headers });
  });
  const answer = await gateway.post(chatPath(session_id), chatRequest());
  expect(answer.status).toBe(error.status);
  expect(await answer.text()).toBe(error.body);
  expect(answer.headers.get("content-type")).toBe(error.type);
  expect(answer.headers.get("retry-after")).toBe("7");
  expect(answer.headers.get("x-ratelimit-remaining-tokens")).toBe("0");
  expect(answer.headers.get("x-request-id")).toBe("req_error");
  expect(answer.headers.get("x-gateway-step-id")).toBe("1");
  const isJson = error.type === "application/json";
  expect(await onlyStep(gateway, session_id)).toMatchObject({
    status_code: error.status,
    response: isJson ? error.body : JSON.stringify(error.body),
    meta: { status_code: error.status, upstream_status_code: error.status, outcome: "completed" },
  });
  expect(await status(session_id)).toMatchObject({
    models: { policy: { successes: 0, latest_success_step: null } },
  });
});

test("a caller that leaves before the upstream has answered is recorded as 499, without an upstream status", async () => {
  const call = beginCall(gateway, chatPath("left-early"), chatRequest());
  const request = await upstream.request("left-early");
  call.leave();
  await request.closed();
  const step = await onlyStep(gateway, "left-early");
  expect(step).toMatchObject({
    status_code: 499,
    response: null,
    messages: JSON.stringify(chatRequest().messages),
    meta: { upstream_status_code: null, outcome: "caller_gone", ttft_ms: null, response_bytes: 0 },
  });
  expect(step.meta.error).toMatch(/caller left/);
});

test("a caller that leaves during an answer is recorded as 499, with what had arrived", async () => {
  const call = beginCall(gateway, chatPath("left-within"), chatRequest());
  const request = await upstream.request("left-within");
  const half = completion.slice(0, completion.length / 2);
  await request.reply.start({ headers: { "content-type": "application/json" } });
  await request.reply.write(half);
  // The gateway has read everything before this, and has passed on nothing.
  await gateway.post("/healthz", {});
  call.leave();
  await request.closed();
  expect(await onlyStep(gateway, "left-within")).toMatchObject({
    status_code: 499,
    response: JSON.stringify(half),
    meta: { upstream_status_code: 200, outcome: "caller_gone", response_bytes: half.length },
  });
});

test.for([
  { name: "reset", handler: resetBeforeHeaders() },
  { name: "closed", handler: closeBeforeHeaders() },
])(
  "a connection that is $name before any answer is a 502 without an upstream status",
  async ({ name, handler }) => {
    const session_id = `never-answered-${name}`;
    upstream.answer(session_id, handler);
    const answer = await gateway.post(chatPath(session_id), chatRequest());
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ error: { code: "upstream_unreachable" } });
    expect(answer.headers.get("x-should-retry")).toBe("true");
    expect(answer.headers.get("x-gateway-step-id")).toBe("1");
    const step = await onlyStep(gateway, session_id);
    expect(step).toMatchObject({
      status_code: 502,
      response: null,
      meta: { upstream_status_code: null, outcome: "upstream_broken", response_bytes: 0 },
    });
    expect(step.meta.replica).toBe(upstream.url);
    // On a reused connection, the request was sent once more.
    expect(step.meta.attempts).toBe(upstream.requests(session_id).length);
  },
);

test("a refused connection is a step: 502, no upstream status, every attempt counted", async () => {
  const answer = await gateway.post(chatPath("refused"), chatRequest({ model: "unreachable" }));
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({ error: { code: "upstream_unreachable" } });
  const step = await onlyStep(gateway, "refused");
  expect(step).toMatchObject({
    status_code: 502,
    model: "unreachable",
    step_id: 1,
    meta: { upstream_status_code: null, outcome: "upstream_broken", attempts: 2, ttft_ms: null },
  });
  expect(step.meta.replica).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(step.meta.error).toMatch(/could not be reached/);
});

test("an answer that is not HTTP is a 502", async () => {
  upstream.answer("garbage", sendGarbage());
  const answer = await gateway.post(chatPath("garbage"), chatRequest());
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({ error: { code: "upstream_invalid_response" } });
  expect(await onlyStep(gateway, "garbage")).toMatchObject({
    status_code: 502,
    meta: { upstream_status_code: null, outcome: "upstream_broken" },
  });
});

test("an answer that breaks off is a 502 that keeps the upstream's status and what had arrived", async () => {
  upstream.answer("cut", sendWrongLength(completion, 10));
  const answer = await gateway.post(chatPath("cut"), chatRequest());
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({ error: { code: "upstream_invalid_response" } });
  const step = await onlyStep(gateway, "cut");
  expect(step).toMatchObject({
    status_code: 502,
    response: completion,
    meta: { upstream_status_code: 200, outcome: "upstream_broken" },
  });
  expect(step.meta.error).toMatch(/broke off/);
});

test("retries are one step, with the attempts counted and the last answer's status", async () => {
  const failed = { status: 503, headers: { "retry-after-ms": "1" } };
  upstream.answer(
    "retried",
    (_request, reply) => void reply.json({ error: { message: "busy" } }, failed),
    (_request, reply) => void reply.json({ error: { message: "busy" } }, failed),
    (_request, reply) => void reply.send(completion),
  );
  const answer = await gateway.post(chatPath("retried"), chatRequest({ model: "retried" }));
  expect(answer.status).toBe(200);
  await answer.text();
  expect(await onlyStep(gateway, "retried")).toMatchObject({
    step_id: 1,
    status_code: 200,
    meta: { attempts: 3, upstream_status_code: 200, outcome: "completed" },
  });
});

test("a row names the replica that answered, and counts the failed attempt at another", async () => {
  const attempts: unknown[] = [];
  // A session's first replica is either of the two.
  for (let number = 1; number <= 40 && !attempts.includes(2); number++) {
    const session_id = `replicated-${number}`;
    upstream.answer(session_id, (_request, reply) => void reply.send(completion));
    const body = chatRequest({ model: "replicated" });
    expect((await gateway.post(chatPath(session_id), body)).status).toBe(200);
    const { meta } = await onlyStep(gateway, session_id);
    expect(meta.replica).toBe(upstream.url);
    attempts.push(meta.attempts);
  }
  expect(attempts).toContain(2);
});

test("a close that aborts answers 400 and is recorded as 499", async () => {
  const { answer } = beginCall(gateway, responsesPath("aborted"), { model: "policy", input: "Hi" });
  const request = await upstream.request("aborted");
  await gateway.post("/v1/sessions/aborted/close", { mode: "abort", reason: "enough" });
  const refused = await answer;
  expect(refused.status).toBe(400);
  expect(refused.headers.get("x-should-retry")).toBe("false");
  expect(await refused.json()).toMatchObject({ error: { code: "session_closed" } });
  await request.closed();
  expect(await onlyStep(gateway, "aborted")).toMatchObject({
    status_code: 499,
    meta: { upstream_status_code: null, outcome: "not_delivered" },
  });
});
