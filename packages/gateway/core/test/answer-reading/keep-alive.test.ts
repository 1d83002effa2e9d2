import { gzipSync } from "node:zlib";
import {
  chatCompletion,
  chatStream,
  jsonBytes,
  responseObject,
  responseStream,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { atRest } from "../pipeline/at-rest.ts";
import { type OpenCall, useGatewayPair } from "../pipeline/gateway-pair.ts";
import { expectNoWarnings } from "../pipeline/no-warnings.ts";
import { onlyStep } from "../telemetry/bound-calls.ts";

// While an upstream's stream is silent, comments keep the connection to the caller open.

expectNoWarnings();
const pair = useGatewayPair({
  streamTimes: { keepAliveMs: 20, lingerMs: 2_000, farewellMs: 1_000 },
});

const comment = ": keep-alive\n\n";
const streams = [
  { endpoint: "chat/completions", events: chatStream(chatCompletion()) },
  { endpoint: "responses", events: responseStream(responseObject()) },
] as const;
const [chat] = streams;

/** Another silent stream serves as a clock: once it has this many comments, there was time for them. */
async function timeForComments(count: number): Promise<void> {
  await using clock = await pair.callUnbound("chat/completions");
  await clock.reply.startEvents();
  await clock.caller.until(comment.repeat(count));
}

async function finish(call: OpenCall, rest: readonly Buffer[]): Promise<string> {
  await call.reply.write(Buffer.concat(rest));
  await call.reply.end();
  const { body, whole } = await call.caller.untilClosed();
  expect(whole).toBe(true);
  return body;
}

test.for(streams)(
  "comments come between two events while the upstream is silent, and are not stored ($endpoint)",
  async ({ endpoint, events }) => {
    await using call = await pair.call(endpoint);
    const [begun, rest] = [events.slice(0, 3), events.slice(3)];
    await call.reply.startEvents();
    await call.caller.until(comment.repeat(2));
    await call.reply.write(Buffer.concat(begun));
    await call.caller.until(`${begun.at(-1)}${comment.repeat(2)}`);
    const body = await finish(call, rest);
    expect(body.replaceAll(comment, "")).toBe(Buffer.concat(events).toString());
    const step = await onlyStep(pair.gateway, call.session_id);
    expect(step).toMatchObject({
      status_code: 200,
      meta: { response_bytes: Buffer.concat(events).length },
    });
    expect(step.response).toContain("Hello from upstream.");
    expect(step.response).not.toContain("keep-alive");
  },
);

test("no comment comes before the upstream's headers", async () => {
  await using call = await pair.call("chat/completions");
  await timeForComments(3);
  expect(call.caller.connection.received.length).toBe(0);
  await call.reply.startEvents();
  expect(await finish(call, chat.events)).toContain(chat.events.join(""));
});

test("no comment comes within an unfinished chat event", async () => {
  await using call = await pair.call("chat/completions");
  const [first = Buffer.alloc(0), ...rest] = chat.events;
  await call.reply.startEvents();
  await call.reply.write(first.subarray(0, 40));
  await call.caller.until(first.subarray(0, 40).toString());
  const before = call.caller.received.body;
  await timeForComments(3);
  expect(call.caller.received.body).toBe(before);
  const body = await finish(call, [first.subarray(40), ...rest]);
  expect(body.replaceAll(comment, "")).toBe(chat.events.join(""));
});

test("comments come while an unfinished responses event is withheld, and never within it", async () => {
  const [{ events }] = [streams[1]];
  const [first = Buffer.alloc(0), ...rest] = events;
  await using call = await pair.call("responses");
  await call.reply.startEvents();
  await call.reply.write(first.subarray(0, 40));
  await call.caller.until(comment.repeat(3));
  expect(call.caller.received.body.replaceAll(comment, "")).toBe("");
  const body = await finish(call, [first.subarray(40), ...rest]);
  expect(body.replaceAll(comment, "")).toBe(events.join(""));
});

test("a stream with a content-length stays readable with comments in it", async () => {
  const bytes = Buffer.concat(chat.events);
  await using call = await pair.call("chat/completions");
  await call.reply.raw(
    `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${bytes.length}\r\n\r\n`,
  );
  await call.caller.until(comment);
  await call.reply.raw(bytes);
  call.reply.finish();
  const { body, whole, headers } = await call.caller.untilClosed();
  expect(whole).toBe(true);
  expect(headers).not.toContain("content-length");
  expect(body.replaceAll(comment, "")).toBe(bytes.toString());
});

test("an answer that is not a stream gets no comments", async () => {
  const bytes = jsonBytes(chatCompletion());
  await using call = await pair.callUnbound("chat/completions");
  await call.reply.start({ headers: { "content-type": "application/json" } });
  await call.reply.write(bytes.subarray(0, 10));
  await call.caller.until(bytes.subarray(0, 10).toString());
  await timeForComments(3);
  expect(await finish(call, [bytes.subarray(10)])).toBe(bytes.toString());
});

test("an encoded stream gets no comments", async () => {
  const bytes = gzipSync(Buffer.concat(chat.events));
  await using call = await pair.call("chat/completions");
  await call.reply.startEvents({ headers: { "content-encoding": "gzip" } });
  await call.reply.write(bytes.subarray(0, 20));
  await timeForComments(3);
  await call.reply.write(bytes.subarray(20));
  await call.reply.end();
  expect((await call.caller.untilClosed()).body).toBe(bytes.toString("latin1"));
});

test("a caller that leaves while it gets only comments cancels the upstream at once", async () => {
  await using call = await pair.call("chat/completions");
  await call.reply.startEvents();
  await call.caller.until(comment);
  call.caller.connection.destroy();
  await call.request.closed();
  await atRest(pair.gateway, call.session_id);
  expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({ status_code: 499 });
});
