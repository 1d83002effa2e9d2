import { chatCompletion, chatStream } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startUpstreamBySession,
  type UpstreamBySession,
} from "../recording/upstream-by-session.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { chatPath, chatRequest, onlyStep } from "./bound-calls.ts";

// Answers beyond max_capture_bytes: a stream is relayed, a plain strict answer cannot be.

const content = "A sentence of some length. ".repeat(200);
const usage = { prompt_tokens: 3, completion_tokens: 900, total_tokens: 903 };
const completion = chatCompletion({ content, usage });
const events = chatStream(completion, { pieceLength: 100 });

let upstream: UpstreamBySession;
let strict: TestGateway;
let bestEffort: TestGateway;

beforeAll(async () => {
  upstream = await startUpstreamBySession();
  const llm_routes = { policy: { base_url: upstream.url } };
  const config = { llm_routes, max_capture_bytes: 2_000 };
  strict = await startGateway(config);
  bestEffort = await startGateway({ ...config, telemetry: { mode: "best_effort" } });
});

afterAll(async () => {
  await strict.close();
  await bestEffort.close();
  await upstream.close();
});

test("a larger stream is relayed whole, and its row says truncated", async () => {
  upstream.answer("stream", (_request, reply) => void reply.events(events));
  const answer = await strict.post(chatPath("stream"), chatRequest({ stream: true }));
  expect(await answer.text()).toBe(events.join(""));
  const { status_code, meta, response } = await onlyStep(strict, "stream");
  expect(status_code).toBe(200);
  expect(meta).toMatchObject({
    outcome: "completed",
    truncated: true,
    // The step's usage is known anyway.
    finish_reason: "stop",
    prompt_tokens: 3,
    completion_tokens: 900,
    response_bytes: Buffer.concat(events).length,
  });
  const kept = JSON.parse(response ?? "");
  expect(content.startsWith(kept.choices[0].message.content)).toBe(true);
  expect(kept.choices[0].message.content.length).toBeGreaterThan(0);
  expect(kept.choices[0].message.content.length).toBeLessThanOrEqual(2_000);
});

test("a larger plain answer is refused with 502 under strict, and its row says why", async () => {
  upstream.answer("plain", (_request, reply) => void reply.json(completion));
  const answer = await strict.post(chatPath("plain"), chatRequest());
  expect(answer.status).toBe(502);
  expect(answer.headers.get("x-should-retry")).toBe("false");
  const { error } = (await answer.json()) as { error: { code: string; message: string } };
  expect(error.code).toBe("upstream_invalid_response");
  expect(error.message).toMatch(/max_capture_bytes \(2000\)/);
  const { status_code, meta } = await onlyStep(strict, "plain");
  expect(status_code).toBe(502);
  expect(meta).toMatchObject({
    upstream_status_code: 200,
    outcome: "upstream_broken",
    truncated: true,
  });
  expect(meta.error).toMatch(/max_capture_bytes/);
});

test("under best effort a larger plain answer is relayed whole, and its row says truncated", async () => {
  upstream.answer("kept", (_request, reply) => void reply.json(completion));
  const answer = await bestEffort.post(chatPath("kept"), chatRequest());
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual(completion);
  const { status_code, meta, response } = await onlyStep(bestEffort, "kept");
  expect(status_code).toBe(200);
  expect(meta).toMatchObject({ outcome: "completed", truncated: true });
  expect(JSON.parse(response ?? "")).toBe(JSON.stringify(completion).slice(0, 2_000));
});

test("an answer of exactly that size is whole", async () => {
  const body = JSON.stringify(chatCompletion({ content: "" }));
  const exact = JSON.stringify(chatCompletion({ content: "x".repeat(2_000 - body.length) }));
  expect(exact.length).toBe(2_000);
  upstream.answer("exact", (_request, reply) => void reply.send(exact));
  const answer = await strict.post(chatPath("exact"), chatRequest());
  expect(await answer.text()).toBe(exact);
  expect(await onlyStep(strict, "exact")).toMatchObject({
    response: exact,
    meta: { truncated: false },
  });
});
