import {
  chatCompletion,
  chatStream,
  cutStreamAt,
  responseObject,
  responseStream,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import {
  chatPath,
  chatRequest,
  onlyStep,
  responsesPath,
  responsesRequest,
} from "../telemetry/bound-calls.ts";
import { rawCall } from "../telemetry/raw-caller.ts";
import { sharedGateway } from "./shared-gateway.ts";

// Rows of streams. One gateway for all tests; each has its own session.

const shared = sharedGateway();

const chatEvents = chatStream(chatCompletion({ content: "Hello there" }), { pieceLength: 6 });
const [role, hello, there, finish, usage, done] = chatEvents.map(String) as [
  string,
  ...[string, string, string, string, string],
];
const responseEvents = responseStream(responseObject({ text: "Hello there" }), { pieceLength: 6 });

const streamChat = (session_id: string) =>
  rawCall(shared.gateway, chatPath(session_id), chatRequest({ stream: true }));
const streamResponse = (session_id: string) =>
  rawCall(shared.gateway, responsesPath(session_id), responsesRequest({ stream: true }));

function lengthOf(...events: readonly (string | Buffer)[]): number {
  return events.reduce((sum, event) => sum + Buffer.byteLength(event), 0);
}

test("a whole stream is recorded as the object that a plain request would have returned", async () => {
  shared.upstream.answer("whole", (_request, reply) => void reply.events(chatEvents));
  await using caller = await streamChat("whole");
  expect(await caller.untilClosed()).toEqual(
    expect.objectContaining({ status: 200, body: chatEvents.join(""), whole: true }),
  );
  const step = await onlyStep(shared.gateway, "whole");
  expect(step).toMatchObject({ status_code: 200, meta: { outcome: "completed" } });
  expect(JSON.parse(step.response ?? "")).toMatchObject({
    object: "chat.completion",
    choices: [
      { index: 0, message: { role: "assistant", content: "Hello there" }, finish_reason: "stop" },
    ],
    usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
  });
  expect(await shared.latestSuccess("whole")).toBe(1);
});

test("a caller that leaves in mid-stream is a 499 with what had arrived, and not a success", async () => {
  await using caller = await streamChat("left");
  const { reply, closed } = await requestOf("left");
  await reply.startEvents();
  await reply.write(role + hello);
  await caller.until("Hello");
  caller.connection.destroy();
  await closed();
  const step = await onlyStep(shared.gateway, "left");
  expect(step).toMatchObject({
    status_code: 499,
    meta: {
      upstream_status_code: 200,
      outcome: "caller_gone",
      response_bytes: lengthOf(role, hello),
    },
  });
  expect(JSON.parse(step.response ?? "")).toMatchObject({
    choices: [{ message: { content: "Hello " }, finish_reason: null }],
  });
  expect(await shared.latestSuccess("left")).toBeNull();
});

test("a caller that leaves once the answer is complete does not make it a 499, and its usage still counts", async () => {
  await using caller = await streamChat("left-complete");
  const { reply } = await requestOf("left-complete");
  await reply.startEvents();
  await reply.write(role + hello + there + finish);
  await caller.until('"finish_reason":"stop"');
  caller.connection.reset();
  // The gateway sees the caller leave before it sees the usage.
  await shared.gateway.post("/healthz", {});
  await reply.write(usage + done);
  await reply.end();
  expect(await onlyStep(shared.gateway, "left-complete")).toMatchObject({
    status_code: 200,
    meta: { outcome: "completed", finish_reason: "stop", prompt_tokens: 11, completion_tokens: 5 },
  });
  expect(await shared.latestSuccess("left-complete")).toBe(1);
});

test("a step whose caller leaves at [DONE] is a success even if the upstream stays open", async () => {
  await using caller = await streamChat("left-done");
  const { reply } = await requestOf("left-done");
  await reply.startEvents();
  await reply.write(chatEvents.join(""));
  await caller.until("data: [DONE]\n\n");
  caller.connection.destroy();
  expect(await onlyStep(shared.gateway, "left-done")).toMatchObject({
    status_code: 200,
    meta: { outcome: "completed", prompt_tokens: 11 },
  });
});

test.for([{ by: "reset" }, { by: "close" }] as const)(
  "a chat stream that breaks off by a $by ends in an error event, and is a 502",
  async ({ by }) => {
    const session_id = `broken-${by}`;
    const sent = role + hello + there.slice(0, 20);
    shared.upstream.answer(session_id, cutStreamAt([sent], sent.length, { by }));
    await using caller = await streamChat(session_id);
    const { body, whole } = await caller.untilClosed();
    expect(body).toMatch(/\n\ndata: \{"error":\{.*"code":"upstream_invalid_response"/);
    expect(body).not.toContain("[DONE]");
    expect(whole).toBe(true);
    const step = await onlyStep(shared.gateway, session_id);
    expect(step).toMatchObject({
      status_code: 502,
      meta: { upstream_status_code: 200, outcome: "upstream_broken", finish_reason: null },
    });
    expect(step.meta.error).toMatch(/broke off/);
    expect(JSON.parse(step.response ?? "")).toMatchObject({
      choices: [{ message: { content: "Hello " } }],
    });
    expect(await shared.latestSuccess(session_id)).toBeNull();
  },
);

test("a stream that ends cleanly before it is complete is a 502, not a success", async () => {
  shared.upstream.answer("short", (_request, reply) => void reply.events([role, hello]));
  await using caller = await streamChat("short");
  expect((await caller.untilClosed()).body).toContain("upstream_invalid_response");
  expect(await onlyStep(shared.gateway, "short")).toMatchObject({
    status_code: 502,
    meta: { upstream_status_code: 200, outcome: "upstream_broken" },
  });
});

test("an error inside a stream is passed on unchanged and recorded as 502 with its message", async () => {
  const error = 'data: {"error":{"message":"engine died","type":"server_error","code":500}}\n\n';
  shared.upstream.answer(
    "inside",
    (_request, reply) => void reply.events([role, hello, error, done]),
  );
  await using caller = await streamChat("inside");
  expect((await caller.untilClosed()).body).toBe([role, hello, error, done].join(""));
  expect(await onlyStep(shared.gateway, "inside")).toMatchObject({
    status_code: 502,
    meta: { upstream_status_code: 200, outcome: "upstream_broken", error: "engine died" },
  });
  expect(await shared.latestSuccess("inside")).toBeNull();
});

test("a responses stream that breaks off ends in its own error event, and is a 502 with what had arrived", async () => {
  const until = responseEvents.findIndex((event) => event.includes("output_text.done"));
  const sent = responseEvents.slice(0, until);
  shared.upstream.answer("broken-response", cutStreamAt(sent, lengthOf(...sent)));
  await using caller = await streamResponse("broken-response");
  const { body, whole } = await caller.untilClosed();
  expect(whole).toBe(true);
  const error = /event: error\ndata: (.*)\n\n/.exec(body)?.[1] ?? "";
  expect(JSON.parse(error)).toMatchObject({
    type: "error",
    code: "upstream_invalid_response",
    sequence_number: until,
  });
  const step = await onlyStep(shared.gateway, "broken-response");
  expect(step).toMatchObject({
    status_code: 502,
    meta: { upstream_status_code: 200, outcome: "upstream_broken" },
  });
  expect(JSON.parse(step.response ?? "")).toMatchObject({
    object: "response",
    output: [{ type: "message", content: [{ type: "output_text", text: "Hello there" }] }],
  });
});

test.for(["completed", "incomplete"] as const)(
  "a responses stream is complete at response.%s",
  async (status) => {
    const response = responseObject({ status });
    shared.upstream.answer(
      status,
      (_request, reply) => void reply.events(responseStream(response)),
    );
    await using caller = await streamResponse(status);
    expect((await caller.untilClosed()).body).toContain(`event: response.${status}`);
    const step = await onlyStep(shared.gateway, status);
    expect(step).toMatchObject({ status_code: 200, meta: { outcome: "completed" } });
    expect(JSON.parse(step.response ?? "")).toEqual(response);
  },
);

test("a close that aborts ends a stream in an error event, and is recorded as 499", async () => {
  await using caller = await streamChat("aborted");
  const { reply, closed } = await requestOf("aborted");
  await reply.startEvents();
  await reply.write(role + hello);
  await caller.until("Hello");
  await shared.gateway.post("/v1/sessions/aborted/close", { mode: "abort" });
  const { body, whole } = await caller.untilClosed();
  expect(body).toContain('"code":"session_closed"');
  expect(whole).toBe(true);
  await closed();
  expect(await onlyStep(shared.gateway, "aborted")).toMatchObject({
    status_code: 499,
    meta: { upstream_status_code: 200, outcome: "not_delivered" },
  });
});

async function requestOf(session_id: string) {
  const request = await shared.upstream.request(session_id);
  return { reply: request.reply, closed: () => request.closed() };
}
