import { chatCompletion, chatStream, cutStreamAt } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { chatPath, chatRequest, onlyStep } from "./bound-calls.ts";
import { rawCall } from "./raw-caller.ts";
import { startUpstreamBySession, type UpstreamBySession } from "./upstream-by-session.ts";

let upstream: UpstreamBySession;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startUpstreamBySession();
  gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url } },
    timeouts: { first_byte_s: 0.2, idle_s: 0.2 },
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

test("an upstream that never answers is a 504 without an upstream status", async () => {
  const answer = await gateway.post(chatPath("silent"), chatRequest());
  expect(answer.status).toBe(504);
  expect(await answer.json()).toMatchObject({ error: { code: "upstream_timeout" } });
  const step = await onlyStep(gateway, "silent");
  expect(step).toMatchObject({
    status_code: 504,
    meta: { upstream_status_code: null, outcome: "timeout", response_bytes: 0 },
  });
  expect(step.meta.error).toMatch(/timeouts\.first_byte_s/);
});

test("an upstream that falls silent within its answer is a 504 that keeps its status", async () => {
  upstream.answer("stalled", async (_request, reply) => {
    await reply.start({ headers: { "content-type": "application/json" } });
    await reply.write("{");
  });
  const answer = await gateway.post(chatPath("stalled"), chatRequest());
  expect(answer.status).toBe(504);
  const step = await onlyStep(gateway, "stalled");
  expect(step).toMatchObject({
    status_code: 504,
    meta: { upstream_status_code: 200, outcome: "timeout", response_bytes: 1 },
  });
  expect(step.meta.error).toMatch(/timeouts\.idle_s/);
});

test("a stream that falls silent ends in an error event, and is a 504 with what had come", async () => {
  const [role, text = Buffer.alloc(0)] = chatStream(chatCompletion({ content: "Hello" }));
  const bytes = Buffer.concat([role ?? text, text]);
  upstream.answer("dried-up", cutStreamAt([bytes], bytes.length, { by: "silence" }));
  await using caller = await rawCall(gateway, chatPath("dried-up"), chatRequest({ stream: true }));
  const { body, whole } = await caller.untilClosed();
  expect(body).toContain('"code":"upstream_timeout"');
  expect(body).not.toContain("[DONE]");
  // Cut, so that nobody takes the answer for whole.
  expect(whole).toBe(false);
  const step = await onlyStep(gateway, "dried-up");
  expect(step).toMatchObject({
    status_code: 504,
    meta: { upstream_status_code: 200, outcome: "timeout", response_bytes: bytes.length },
  });
  expect(JSON.parse(step.response ?? "")).toMatchObject({
    choices: [{ message: { content: "Hello" }, finish_reason: null }],
  });
});
