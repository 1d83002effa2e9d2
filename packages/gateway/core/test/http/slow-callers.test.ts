import { setTimeout as delay } from "node:timers/promises";
import {
  chatCompletion,
  type FaultyUpstream,
  type RecordedRequest,
  rawRequest,
  startFaultyUpstream,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { atRest } from "../pipeline/at-rest.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { onlyStep, rawPost } from "../telemetry/bound-calls.ts";
import { readRawAnswers } from "./raw-answers.ts";

const path = "/v1/sessions/s/chat/completions";
const body = { model: "demo", messages: [{ role: "user", content: "Hello" }] };
const mebibyte = 1_048_576;

function start(upstream: { readonly url: string }, caller_stall_s: number): Promise<TestGateway> {
  return startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    timeouts: { caller_stall_s },
    // The capture limit must not be what bounds the stream.
    max_capture_bytes: mebibyte,
  });
}

/** Streams until the caller leaves; counts how much it could send. */
async function flood({ reply }: RecordedRequest, sent: { bytes: number }): Promise<void> {
  const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "x".repeat(65_000) } }] })}\n\n`;
  let open = await reply.startEvents();
  while (open) {
    open = await reply.write(event);
    sent.bytes += event.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("a stream flows no faster than its caller reads, and ends if it reads nothing for caller_stall_s", async () => {
  await using upstream: FaultyUpstream = await startFaultyUpstream();
  await using gateway = await start(upstream, 0.4);
  await using caller = await rawRequest(gateway.port, rawPost(path, { ...body, stream: true }));
  const request = await upstream.nextRequest();
  const sent = { bytes: 0 };
  const flooding = flood(request, sent);
  await caller.readUntil("data: ");
  caller.pause();
  const before = process.memoryUsage().external;

  // The upstream sees that the gateway has closed its connection.
  await request.closed();
  await flooding;
  // The sockets on the way hold some bytes, the gateway almost none; without back-pressure the upstream
  // would have sent hundreds of megabytes.
  expect(sent.bytes).toBeLessThan(64 * mebibyte);
  expect(process.memoryUsage().external - before).toBeLessThan(64 * mebibyte);

  const row = await onlyStep(gateway, "s");
  expect(row.status_code).toBe(499);
  expect(row.meta).toMatchObject({
    outcome: "caller_gone",
    upstream_status_code: 200,
    error: expect.stringContaining("took nothing for 400 ms"),
  });
  await atRest(gateway, "s");
});

/** A busy machine keeps a caller from reading for a while. */
const stallMs = 2_000;

test("a caller that reads a stream slowly but steadily gets all of it", async () => {
  const count = 400;
  const events = Array.from({ length: count }, (_, index) => {
    const choice = { index: 0, delta: { content: "x".repeat(50_000) }, finish_reason: null };
    return `data: ${JSON.stringify({ id: String(index), choices: [choice] })}\n\n`;
  });
  const last = { index: 0, delta: {}, finish_reason: "stop" };
  events.push(`data: ${JSON.stringify({ choices: [last] })}\n\n`, "data: [DONE]\n\n");
  await using upstream = await startFaultyUpstream((_request, reply) => {
    void reply.events(events);
  });
  await using gateway = await start(upstream, stallMs / 1_000);
  const response = await gateway.post(path, { ...body, stream: true });
  expect(await takeSlowly(response)).toBe(events.join("").length);
  expect((await onlyStep(gateway, "s")).status_code).toBe(200);
  await atRest(gateway, "s");
});

test("a caller that reads a large plain answer slowly but steadily gets all of it", async () => {
  const answer = JSON.stringify({ choices: [{ message: { content: "x".repeat(32 * mebibyte) } }] });
  await using upstream = await startFaultyUpstream((_request, reply) => {
    void reply.send(answer, { headers: { "content-type": "application/json" } });
  });
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    timeouts: { caller_stall_s: stallMs / 1_000 },
  });
  const response = await gateway.post(path, body);
  expect(response.headers.get("content-length")).toBe(String(answer.length));
  expect(await takeSlowly(response)).toBe(answer.length);
  await atRest(gateway, "s");
});

/** Takes longer than the caller's time-out in total, but much less for each part. */
async function takeSlowly(response: Response): Promise<number> {
  const began = performance.now();
  let taken = 0;
  let rests = 0;
  for await (const chunk of response.body ?? []) {
    taken += chunk.length;
    if (taken < (rests + 1) * 512 * 1_024) continue;
    rests += 1;
    await delay(60);
  }
  expect(performance.now() - began).toBeGreaterThan(stallMs);
  return taken;
}

test("a plain answer that its caller never reads is given up", async () => {
  const answer = JSON.stringify({ choices: [{ message: { content: "x".repeat(32 * mebibyte) } }] });
  await using upstream = await startFaultyUpstream((_request, reply) => {
    void reply.send(answer, { headers: { "content-type": "application/json" } });
  });
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    timeouts: { caller_stall_s: 0.2 },
  });
  for (const at of [path, "/v1/chat/completions"]) {
    await using caller = await rawRequest(gateway.port);
    caller.pause();
    await caller.write(rawPost(at, body));
    await upstream.nextRequest();
    await atRest(gateway, "s");
    caller.resume();
    const received = await caller.readUntilClosed();
    expect(received.length).toBeLessThan(answer.length);
  }
});

test("an answer waiting behind another one on its connection does not count as unread", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await start(upstream, 0.1);
  const first = rawPost(path, body).replace("connection: close\r\n", "");
  await using caller = await rawRequest(gateway.port, first + rawPost(path, body));
  const requests = [await upstream.nextRequest(), await upstream.nextRequest()] as const;
  const large = { ...chatCompletion(), padding: "x".repeat(500_000) };
  await requests[1].reply.json(large);
  // Longer than the time-out, during which the caller could not have read the answer.
  await delay(300);
  await requests[0].reply.json(chatCompletion());
  const answers = readRawAnswers(await caller.readUntilClosed());
  expect(answers.map(({ status, text }) => [status, text.length > 500_000])).toEqual([
    [200, false],
    [200, true],
  ]);
});
