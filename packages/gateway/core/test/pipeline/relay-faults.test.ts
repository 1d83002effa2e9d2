import { createServer } from "node:net";
import {
  chatCompletion,
  closeBeforeHeaders,
  jsonBytes,
  listen,
  type ReplyHandler,
  resetBeforeHeaders,
  sendGarbage,
  sendHalfHeaders,
  sendWrongLength,
  staySilent,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { metric, onlyStep } from "../telemetry/bound-calls.ts";
import { atRest } from "./at-rest.ts";
import { useGatewayPair } from "./gateway-pair.ts";
import { expectNoWarnings } from "./no-warnings.ts";

// What the caller gets and the row says if the upstream fails before an answer is whole.

expectNoWarnings();
// One short time-out at a time: on a busy machine the wrong one might fire first.
const patient = useGatewayPair({ route: { max_concurrency: 1 } });
const firstByte = useGatewayPair({
  route: { max_concurrency: 1 },
  timeouts: { first_byte_s: 0.15 },
});
const idle = useGatewayPair({ route: { max_concurrency: 1 }, timeouts: { idle_s: 0.15 } });
const total = useGatewayPair({ route: { max_concurrency: 1 }, timeouts: { total_s: 3 } });

const completion = jsonBytes(chatCompletion());
const json = { "content-type": "application/json" };

const dribble: ReplyHandler = async (_request, reply) => {
  let open = await reply.start({ headers: json });
  while (open) {
    open = await reply.write(" ");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
const fallSilent: ReplyHandler = async (_request, reply) => {
  await reply.start({ headers: json });
  await reply.write(completion.subarray(0, 20));
};

const unreachable = { status: 502, code: "upstream_unreachable", outcome: "upstream_broken" };
const invalid = { status: 502, code: "upstream_invalid_response", outcome: "upstream_broken" };
const timeout = { status: 504, code: "upstream_timeout", outcome: "timeout" };
const faults = [
  {
    what: "resets the connection",
    answer: resetBeforeHeaders(),
    ...unreachable,
    upstream: null,
    says: "ECONNRESET",
    pair: patient,
  },
  {
    what: "closes the connection",
    answer: closeBeforeHeaders(),
    ...unreachable,
    upstream: null,
    says: "before it answered",
    pair: patient,
  },
  {
    what: "sends garbage",
    answer: sendGarbage(),
    ...invalid,
    upstream: null,
    says: "not valid HTTP",
    pair: patient,
  },
  {
    what: "sends less than it said",
    answer: sendWrongLength(completion, 10),
    ...invalid,
    upstream: 200,
    says: "broke off",
    pair: patient,
  },
  {
    what: "sends nothing",
    answer: staySilent(),
    ...timeout,
    upstream: null,
    says: "timeouts.first_byte_s",
    pair: firstByte,
  },
  {
    what: "sends half of its headers",
    answer: sendHalfHeaders(),
    ...timeout,
    upstream: null,
    says: "timeouts.first_byte_s",
    pair: firstByte,
  },
  {
    what: "falls silent in its body",
    answer: fallSilent,
    ...timeout,
    upstream: 200,
    says: "timeouts.idle_s",
    pair: idle,
  },
  {
    what: "never comes to an end",
    answer: dribble,
    ...timeout,
    upstream: 200,
    says: "timeouts.total_s",
    pair: total,
  },
];
const cases = faults.flatMap((fault) => [false, true].map((stream) => ({ ...fault, stream })));

test.for(cases)(
  "an upstream that $what is a $status $code (stream asked for: $stream)",
  async ({ answer, status, code, outcome, upstream, says, pair, stream }) => {
    const counted = `gateway_requests_finished_total{model="policy",endpoint="chat_completions",status_code="${status}",outcome="${outcome}"}`;
    const before = await metric(pair.gateway, counted);
    await using call = await pair.call("chat/completions", { stream });
    await answer(call.request, call.reply);
    const received = await call.caller.untilClosed();
    expect(received).toMatchObject({ status, whole: true });
    const message = expect.stringContaining(says);
    expect(JSON.parse(received.body)).toEqual({
      error: { message, type: "upstream_error", param: null, code },
    });
    for (const header of [
      "x-should-retry: true",
      "x-gateway-error-source: upstream",
      "x-gateway-step-id: 1",
      "content-type: application/json",
      "server-timing: gateway;dur=",
    ])
      expect(received.headers).toContain(header);
    expect(received.headers.match(/x-request-id:/g)).toHaveLength(1);

    await atRest(pair.gateway, call.session_id);
    expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({
      step_id: 1,
      status_code: status,
      meta: {
        status_code: status,
        upstream_status_code: upstream,
        outcome,
        error: message,
        attempts: 1,
      },
    });
    expect(await metric(pair.gateway, counted)).toBe(before + 1);
  },
);

test("a connection is not reused after an answer longer than its announced length", async () => {
  await using call = await patient.call("chat/completions", { stream: false });
  await sendWrongLength(completion, -10)(call.request, call.reply);
  const received = await call.caller.untilClosed();
  // For HTTP, the rest begins another answer: the announced length has come whole.
  expect(received).toMatchObject({ status: 200, body: completion.subarray(0, -10).toString() });
  await atRest(patient.gateway, call.session_id);
  await using next = await patient.call("chat/completions", { stream: false });
  expect(next.request.connection).not.toBe(call.request.connection);
  await next.reply.send(completion, { headers: json });
  expect((await next.caller.untilClosed()).body).toBe(completion.toString());
});

test("an unbound answer that breaks off before its first byte is an error, not an empty answer", async () => {
  await using call = await patient.callUnbound("chat/completions", { stream: false });
  await call.reply.start({ headers: { ...json, "x-request-id": "req_upstream" } });
  call.reply.reset();
  const received = await call.caller.untilClosed();
  expect(received).toMatchObject({ status: 502, whole: true });
  expect(JSON.parse(received.body)).toMatchObject({ error: { code: "upstream_invalid_response" } });
  expect(received.headers.match(/x-request-id:/g)).toHaveLength(1);
  await atRest(patient.gateway);
});

test("an unbound answer that breaks off after its first byte is cut off, not completed", async () => {
  await using call = await patient.callUnbound("chat/completions", { stream: false });
  await call.reply.start({ headers: json });
  await call.reply.write(completion.subarray(0, 20));
  await call.caller.until(completion.subarray(0, 20).toString());
  call.reply.reset();
  const received = await call.caller.untilClosed();
  expect(received).toMatchObject({ status: 200, whole: false });
  expect(received.body).toBe(completion.subarray(0, 20).toString());
  await atRest(patient.gateway);
});

test("an upstream where nobody listens is unreachable, and leaves a row", async () => {
  const nobody = await listen(createServer());
  await nobody.close();
  await using gateway = await startGateway({
    llm_routes: { policy: { base_url: `${nobody.url}/v1` } },
  });
  const answer = await gateway.post("/v1/sessions/s/chat/completions", { model: "policy" });
  expect(answer.status).toBe(502);
  await atRest(gateway, "s");
  expect(await onlyStep(gateway, "s")).toMatchObject({
    status_code: 502,
    meta: { upstream_status_code: null, outcome: "upstream_broken", attempts: 1, ttft_ms: null },
  });
});
