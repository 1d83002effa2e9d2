import {
  chatCompletion,
  chatStream,
  type FaultyUpstream,
  rawRequest,
  readAllServerSentEvents,
  startFaultyUpstream,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { inFlight, refusal, sessionClient } from "./session-client.ts";

const start = (upstream: FaultyUpstream, config: object = {}): Promise<TestGateway> =>
  startGateway({
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 2 } },
    session_close_timeout_s: 0.2,
    ...config,
  });

test("when the time-out passes a plain request is answered 400, its upstream cancelled, its row says 499", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await start(upstream);
  const session = sessionClient(gateway, "s");
  const answer = session.chat();
  const request = await upstream.nextRequest();
  const closed = await session.closeAndWait();
  expect(closed).toMatchObject({ status: "closed", in_flight: 0 });
  expect(closed.close).toMatchObject({ forced: true, drained: false, telemetry: "flushed" });
  expect(await refusal(await answer)).toBe("400 session_closed, retry false");
  await request.closed();
  expect(gateway.steps("s")).toMatchObject([
    {
      step_id: 1,
      status_code: 499,
      meta: { status_code: 499, upstream_status_code: null, outcome: "not_delivered" },
    },
  ]);
  expect(await session.latestSuccessStep()).toMatchObject({ step_id: null });
});

test("when the time-out passes a stream ends in its error event, and its row says 499", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await start(upstream);
  const session = sessionClient(gateway, "s");
  const caller = await rawRequest(gateway.port, streamRequest("s"));
  const request = await upstream.nextRequest();
  await request.reply.startEvents();
  for (const event of chatStream(chatCompletion()).slice(0, 3)) await request.reply.write(event);
  await caller.readUntil("Hello");
  const closed = await session.closeAndWait();
  expect(closed.close).toMatchObject({ forced: true, drained: false, telemetry: "flushed" });
  const received = (await caller.readUntilClosed()).toString();
  expect(received).toContain('"code":"session_closed"');
  expect(received).not.toContain("[DONE]");
  expect(received.endsWith("0\r\n\r\n")).toBe(true);
  await request.closed();
  expect(gateway.steps("s")).toMatchObject([
    { status_code: 499, meta: { upstream_status_code: 200, outcome: "not_delivered" } },
  ]);
});

test("when the time-out passes, a request in the route's queue is answered 400 and is not a step", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await start(upstream, {
    llm_routes: { demo: { base_url: upstream.url, max_concurrency: 1 } },
  });
  const session = sessionClient(gateway, "s");
  const holding = session.chat();
  await upstream.nextRequest();
  const waiting = session.chat();
  await inFlight(session, 2);
  const closed = await session.closeAndWait();
  expect(await refusal(await holding)).toBe("400 session_closed, retry false");
  expect(await refusal(await waiting)).toBe("400 session_closed, retry false");
  expect(closed.models.demo).toMatchObject({ steps: 1, successes: 0 });
  expect(gateway.steps("s").map((row) => row.step_id)).toEqual([1]);
  expect(upstream.requests).toHaveLength(1);
});

test("mode abort ends requests at once, streamed or not", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await start(upstream, { session_close_timeout_s: 60 });
  const session = sessionClient(gateway, "s");
  const plain = session.chat();
  await upstream.nextRequest();
  const streamed = session.chat({ stream: true });
  const { reply } = await upstream.nextRequest();
  await reply.startEvents();
  await reply.write(chatStream(chatCompletion())[0] ?? "");
  const events = readAllServerSentEvents((await streamed).body);
  const first = await session.close({ mode: "abort", reason: "gave up" });
  expect([first.body.status, first.headers.get("retry-after")]).toEqual(["closing", "10"]);
  expect(await refusal(await plain)).toBe("400 session_closed, retry false");
  expect((await events).at(-1)?.data).toContain('"code":"session_closed"');
  const closed = await session.closeAndWait();
  expect(closed.close).toMatchObject({ forced: true, drained: false, telemetry: "flushed" });
  expect(gateway.steps("s").map((row) => row.status_code)).toEqual([499, 499]);
});

test("mode abort with nothing in flight is not forced", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await start(upstream);
  const closed = await sessionClient(gateway, "s").closeAndWait({ mode: "abort" });
  expect(closed.close).toMatchObject({ forced: false, drained: true, telemetry: "flushed" });
});

test("mode abort cuts short a close that drains", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await start(upstream, { session_close_timeout_s: 60 });
  const session = sessionClient(gateway, "s");
  const answer = session.chat();
  await upstream.nextRequest();
  await session.close();
  const closed = await session.closeAndWait({ mode: "abort" });
  expect(closed.close).toMatchObject({ forced: true, reason: null });
  expect(await refusal(await answer)).toBe("400 session_closed, retry false");
});

test("a caller that does not read its answer cannot keep a session from closing", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await start(upstream);
  const session = sessionClient(gateway, "s");
  const caller = await rawRequest(gateway.port);
  caller.pause();
  await caller.write(streamRequest("s", false));
  const request = await upstream.nextRequest();
  // More than the buffers of both sockets hold.
  await request.reply.json(chatCompletion({ content: "x".repeat(16 * 1024 * 1024) }));
  const closed = await session.closeAndWait();
  expect(closed).toMatchObject({ status: "closed", in_flight: 0 });
  caller.resume();
  await caller.readUntilClosed();
});

function streamRequest(session_id: string, stream = true): string {
  const body = JSON.stringify({ model: "demo", stream, messages: [] });
  return [
    `POST /v1/sessions/${session_id}/chat/completions HTTP/1.1`,
    "host: localhost",
    "content-type: application/json",
    `content-length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}
