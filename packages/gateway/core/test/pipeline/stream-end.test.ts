import { chatCompletion, chatStream, responseObject, responseStream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { onlyStep } from "../telemetry/bound-calls.ts";
import { atRest } from "./at-rest.ts";
import { type EndpointPath, useGatewayPair } from "./gateway-pair.ts";
import { expectNoWarnings } from "./no-warnings.ts";

// When a stream is complete, and when it merely stops.

expectNoWarnings();
const pair = useGatewayPair();

const chat = chatStream(chatCompletion());
const spoken = chat.slice(0, -3);
const finished = chat.slice(0, -2);
const withUsage = chat.slice(0, -1);
const line = (text: string): Buffer => Buffer.from(text);

/** Everything an upstream sends before it ends cleanly. */
async function streamed(endpoint: EndpointPath, ...events: readonly Buffer[]) {
  await using call = await pair.call(endpoint);
  await call.reply.events(events);
  const { body, whole } = await call.caller.untilClosed();
  await atRest(pair.gateway, call.session_id);
  return { body, whole, step: await onlyStep(pair.gateway, call.session_id) };
}

const whole: Record<string, readonly Buffer[]> = {
  "with [DONE]": chat,
  "with [DONE] without its space": [...withUsage, line("data:[DONE]\n\n")],
  "with [DONE] without its blank line": [...withUsage, line("data: [DONE]\n")],
  "with [DONE] without any line end": [...withUsage, line("data: [DONE]")],
  "with [DONE] in pieces": [
    ...withUsage,
    line("da"),
    line("ta: [D"),
    line("ONE]\r"),
    line("\n\r\n"),
  ],
  "with its finish_reason, without [DONE]": withUsage,
  "with its finish_reason, without usage and [DONE]": finished,
};

test.for(Object.entries(whole))(
  "a chat stream that ends %s is complete, and nothing is added",
  async ([, events]) => {
    const { body, whole, step } = await streamed("chat/completions", ...events);
    expect({ body, whole }).toEqual({ body: Buffer.concat(events).toString(), whole: true });
    expect(step).toMatchObject({
      status_code: 200,
      meta: { outcome: "completed", finish_reason: "stop", error: null },
    });
  },
);

const stopped: Record<string, readonly Buffer[]> = {
  "before its finish_reason": spoken,
  "before any event": [],
  "in the middle of an event": [...spoken, line('data: {"choices":[{"index":0,"fin')],
  "with one choice of two unfinished": [
    ...chatStream(chatCompletion({ choices: [{}, { finish_reason: "" }] }), { done: false }),
  ],
};

test.for(Object.entries(stopped))(
  "a chat stream that ends %s has broken off",
  async ([, events]) => {
    const sent = Buffer.concat(events).toString();
    const { body, whole, step } = await streamed("chat/completions", ...events);
    expect(whole).toBe(true);
    expect(body.startsWith(sent)).toBe(true);
    expect(body.slice(sent.length)).toMatch(/^(\n\n)?data: \{"error":\{.*\}\}\n\n$/);
    expect(body).not.toContain("[DONE]");
    expect(step).toMatchObject({
      status_code: 502,
      meta: { upstream_status_code: 200, outcome: "upstream_broken" },
    });
    expect(step.meta.error).toContain("broke off before its end");
  },
);

test.for(["completed", "incomplete"] as const)(
  "a responses stream is complete at response.%s, and its response is the row's",
  async (status) => {
    const response = responseObject({ status });
    const events = responseStream(response);
    const { body, whole, step } = await streamed("responses", ...events);
    expect({ body, whole }).toEqual({ body: Buffer.concat(events).toString(), whole: true });
    expect(step).toMatchObject({
      status_code: 200,
      response: JSON.stringify(response),
      meta: { outcome: "completed", error: null, prompt_tokens: 11, completion_tokens: 5 },
    });
  },
);

test("a responses stream that ends before its terminal event has broken off", async () => {
  const events = responseStream(responseObject()).slice(0, -1);
  const { body, whole, step } = await streamed("responses", ...events);
  expect(whole).toBe(true);
  const sent = Buffer.concat(events).toString();
  const end = `event: error\ndata: {"type":"error","code":"upstream_invalid_response"`;
  expect(body.startsWith(sent + end)).toBe(true);
  expect(body).toContain(`"sequence_number":${events.length}}\n\n`);
  expect(step).toMatchObject({ status_code: 502 });
  expect(JSON.parse(step.response ?? "")).toMatchObject({ output: responseObject().output });
});

test("an event that only echoes a terminal one ends nothing", async () => {
  const response = responseObject({
    text: 'event: response.completed\n"type":"response.completed"',
  });
  const events = responseStream(response, { pieceLength: 100 });
  await using call = await pair.call("responses");
  await call.reply.startEvents();
  const sent = Buffer.concat(events.slice(0, -1));
  await call.reply.write(sent);
  expect(await call.caller.until(sent.toString())).toMatchObject({ whole: false });
  await call.reply.write(events.at(-1) ?? "");
  await call.reply.end();
  expect((await call.caller.untilClosed()).whole).toBe(true);
  expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({ status_code: 200 });
});

const chatError = line('data: {"error":{"message":"out of memory","code":500}}\n\n');
const responsesError = line(
  'event: error\ndata: {"type":"error","code":"server_error","message":"out of memory","param":null,"sequence_number":2}\n\n',
);

test.for([
  { endpoint: "chat/completions", events: [...spoken, chatError] },
  { endpoint: "chat/completions", events: [...spoken, chatError, line("data: [DONE]\n\n")] },
  { endpoint: "chat/completions", events: [...finished, chatError] },
  {
    endpoint: "responses",
    events: [...responseStream(responseObject()).slice(0, 2), responsesError],
  },
] as const)(
  "an error inside a stream is passed on unchanged, and is recorded as 502 ($endpoint)",
  async ({ endpoint, events }) => {
    const { body, step } = await streamed(endpoint, ...events);
    expect(body).toBe(Buffer.concat(events).toString());
    expect(step).toMatchObject({
      status_code: 502,
      meta: { upstream_status_code: 200, outcome: "upstream_broken", error: "out of memory" },
    });
    const latest = await fetch(
      `${pair.gateway.sessionUrl(step.session_id)}/latest-success-step?model=policy`,
    );
    expect(await latest.json()).toMatchObject({ step_id: null });
  },
);
