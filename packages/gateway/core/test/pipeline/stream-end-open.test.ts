import { chatCompletion, chatStream, responseObject, responseStream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { chatPath, chatRequest, metric, onlyStep } from "../telemetry/bound-calls.ts";
import { atRest } from "./at-rest.ts";
import { useGatewayPair } from "./gateway-pair.ts";
import { expectNoWarnings } from "./no-warnings.ts";

// Streams whose caller or upstream leaves earlier or stays longer than the answer.

expectNoWarnings();
const never = 60_000;
const cutsSoon = useGatewayPair({
  streamTimes: { keepAliveMs: never, lingerMs: 50, farewellMs: never },
});
const leavesSoon = useGatewayPair({
  streamTimes: { keepAliveMs: never, lingerMs: never, farewellMs: 50 },
});
const patient = useGatewayPair({
  route: { max_concurrency: 1 },
  streamTimes: { keepAliveMs: never, lingerMs: never, farewellMs: never },
});
const bestEffort = useGatewayPair({
  telemetry: { mode: "best_effort", flush_interval_ms: 1 },
  streamTimes: { keepAliveMs: never, lingerMs: never, farewellMs: never },
});

const chat = chatStream(chatCompletion());
const finished = chat.slice(0, -2);
const [usage = "", done = ""] = chat.slice(-2);
const streams = [
  { endpoint: "chat/completions", events: chat },
  { endpoint: "responses", events: responseStream(responseObject()) },
] as const;

test.for(streams)(
  "a caller gets its whole stream even if the upstream stays open ($endpoint)",
  async ({ endpoint, events }) => {
    for (const binding of ["call", "callUnbound"] as const) {
      await using call = await patient[binding](endpoint);
      await call.reply.startEvents();
      await call.reply.write(Buffer.concat(events));
      const { body, whole } = await call.caller.untilClosed();
      expect({ body, whole }).toEqual({ body: Buffer.concat(events).toString(), whole: true });
      // The upstream is still sending: its place is taken, though nothing else is.
      expect(await metric(patient.gateway, 'gateway_requests_in_flight{model="policy"}')).toBe(1);
      if (binding === "call")
        expect(await onlyStep(patient.gateway, call.session_id)).toMatchObject({
          status_code: 200,
          meta: { outcome: "completed", completion_tokens: 5 },
        });
      await call.reply.end();
      await atRest(patient.gateway);
    }
  },
);

test("a connection whose stream has ended normally is reused", async () => {
  const connections = [];
  for (let turn = 0; turn < 2; turn += 1) {
    await using call = await patient.call("chat/completions");
    await call.reply.startEvents();
    await call.reply.write(Buffer.concat(chat));
    await call.caller.untilClosed();
    await call.reply.end();
    await atRest(patient.gateway);
    connections.push(call.request.connection);
  }
  expect(connections[1]).toBe(connections[0]);
});

test.for(streams)(
  "an upstream that stays open after the terminal event is cut off ($endpoint)",
  async ({ endpoint, events }) => {
    await using call = await cutsSoon.call(endpoint);
    await call.reply.startEvents();
    await call.reply.write(Buffer.concat(events));
    await call.request.closed();
    expect((await call.caller.untilClosed()).whole).toBe(true);
    await atRest(cutsSoon.gateway, call.session_id);
    const step = await onlyStep(cutsSoon.gateway, call.session_id);
    expect(step).toMatchObject({ status_code: 200, meta: { outcome: "completed", error: null } });
  },
);

test("an upstream that keeps sending after the terminal event is cut off too", async () => {
  await using call = await cutsSoon.call("chat/completions");
  await call.reply.startEvents();
  let open = await call.reply.write(Buffer.concat(chat));
  while (open) {
    open = await call.reply.write(": and another thing\n\n");
    await new Promise(setImmediate);
  }
  await call.request.closed();
  const { body, whole } = await call.caller.untilClosed();
  expect({ body, whole }).toEqual({ body: Buffer.concat(chat).toString(), whole: true });
});

test("a stream whose [DONE] lacks its blank line is complete when the upstream is cut", async () => {
  await using call = await cutsSoon.call("chat/completions");
  const bytes = Buffer.concat([...finished, Buffer.from("data: [DONE]\n")]);
  await call.reply.startEvents();
  await call.reply.write(bytes);
  const { body, whole } = await call.caller.untilClosed();
  expect({ body, whole }).toEqual({ body: bytes.toString(), whole: true });
  expect(await onlyStep(cutsSoon.gateway, call.session_id)).toMatchObject({ status_code: 200 });
});

for (const [mode, pair] of Object.entries({ strict: patient, best_effort: bestEffort })) {
  test(`a step whose caller leaves once every choice is finished is a success with its usage (${mode})`, async () => {
    await using call = await pair.call("chat/completions");
    await call.reply.startEvents();
    await call.reply.write(Buffer.concat(finished));
    await call.caller.until('"finish_reason":"stop"');
    call.caller.connection.reset();
    // The gateway sees the caller leave before it sees the usage.
    await pair.gateway.post("/healthz", {});
    await call.reply.write(usage);
    await call.reply.write(done);
    await call.reply.end();
    await atRest(pair.gateway, call.session_id);
    expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({
      status_code: 200,
      meta: { outcome: "completed", error: null, prompt_tokens: 11, completion_tokens: 5 },
    });
  });

  test(`a step whose caller leaves at [DONE] is a success with its usage (${mode})`, async () => {
    await using call = await pair.call("chat/completions");
    await call.reply.startEvents();
    await call.reply.write(Buffer.concat(chat));
    await call.caller.until("data: [DONE]\n\n");
    call.caller.connection.reset();
    await pair.gateway.post("/healthz", {});
    await call.reply.end();
    await atRest(pair.gateway, call.session_id);
    expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({
      status_code: 200,
      meta: { outcome: "completed", error: null, prompt_tokens: 11, completion_tokens: 5 },
    });
  });
}

test("missing usage is not waited for once the caller has left", async () => {
  await using call = await leavesSoon.call("chat/completions");
  await call.reply.startEvents();
  await call.reply.write(Buffer.concat(finished));
  await call.caller.until('"finish_reason":"stop"');
  call.caller.connection.reset();
  await call.request.closed();
  await atRest(leavesSoon.gateway, call.session_id);
  expect(await onlyStep(leavesSoon.gateway, call.session_id)).toMatchObject({
    status_code: 200,
    meta: { outcome: "completed", prompt_tokens: null },
  });
});

test("an agent's next step is served while its last stream lingers", async () => {
  const session_id = cutsSoon.newSession();
  await using call = await cutsSoon.callAt(chatPath(session_id), session_id);
  await call.reply.startEvents();
  await call.reply.write(Buffer.concat(chat));
  await call.caller.untilClosed();
  const next = cutsSoon.gateway.post(chatPath(session_id), chatRequest());
  const request = await cutsSoon.upstream.nextRequest();
  await request.reply.json(chatCompletion());
  expect((await next).headers.get("x-gateway-step-id")).toBe("2");
  await atRest(cutsSoon.gateway, session_id);
});
