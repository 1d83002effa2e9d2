import { chatCompletion, chatStream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { onlyStep } from "../telemetry/bound-calls.ts";
import { atRest } from "./at-rest.ts";
import { useGatewayPair } from "./gateway-pair.ts";
import { expectNoWarnings } from "./no-warnings.ts";

// An upstream's error is an answer: it is passed on unchanged, whatever was requested and however it came.

expectNoWarnings();
const pair = useGatewayPair();

const spaced = '{ "error" : {"message":"nö","code":429e0, "code":12345678901234567890} }\n';
const errors = [
  {
    status: 400,
    text: '{"error":{"message":"bad","param":"temperature"}}',
    type: "application/json",
  },
  { status: 401, text: "<h1>Who are you?</h1>", type: "text/html" },
  { status: 404, text: "", type: "text/plain" },
  { status: 408, text: "{}", type: "application/json" },
  { status: 429, text: spaced, type: "application/json; charset=utf-8" },
  { status: 500, text: '{"error":null}', type: "application/json" },
  { status: 503, text: "data: not a stream\n\n", type: "text/event-stream" },
  { status: 529, text: 'data: {"error":{"message":"overloaded"}}\n\n', type: "text/event-stream" },
];
const headers = {
  "x-request-id": "req_upstream",
  "retry-after": "7",
  // It holds the route's next call, and says it more exactly than retry-after.
  "retry-after-ms": "65",
  "x-should-retry": "true",
  "x-ratelimit-limit-requests": "60",
  "x-ratelimit-remaining-tokens": "0",
  "x-ratelimit-reset-tokens": "6m0s",
};
const cases = errors.flatMap((error) =>
  [true, false].flatMap((stream) =>
    [true, false].map((isBound) => ({ ...error, stream, isBound })),
  ),
);

test.for(cases)(
  "a $status of type $type is passed on unchanged (stream: $stream, bound: $isBound)",
  async ({ status, text, type, stream, isBound }) => {
    await using call = await (isBound
      ? pair.call("chat/completions", { stream })
      : pair.callUnbound("chat/completions", { stream }));
    await call.reply.send(text, { status, headers: { ...headers, "content-type": type } });
    const received = await call.caller.untilClosed();
    expect(received).toMatchObject({ status, whole: true });
    expect(Buffer.from(received.body, "latin1").toString()).toBe(text);
    const lines = received.headers.split("\r\n");
    for (const [name, value] of Object.entries({ ...headers, "content-type": type }))
      expect(lines.filter((line) => line.startsWith(`${name}:`))).toEqual([`${name}: ${value}`]);
    expect(received.headers).not.toContain("x-gateway-error-source");

    if (!isBound) return;
    const step = await onlyStep(pair.gateway, call.session_id);
    expect(step).toMatchObject({
      status_code: status,
      meta: {
        status_code: status,
        upstream_status_code: status,
        outcome: "completed",
        upstream_request_id: "req_upstream",
        attempts: 1,
      },
    });
    if (text.startsWith("{")) expect(step.response).toBe(text);
    await atRest(pair.gateway, call.session_id);
  },
);

test("an error that breaks off is not an answer", async () => {
  await using call = await pair.call("chat/completions");
  const type = { "content-type": "text/event-stream" };
  await call.reply.start({ status: 500, headers: { ...headers, ...type } });
  await call.reply.write('{"error":');
  call.reply.reset();
  const received = await call.caller.untilClosed();
  expect(received).toMatchObject({ status: 502, whole: true });
  expect(JSON.parse(received.body)).toMatchObject({ error: { code: "upstream_invalid_response" } });
  expect(await onlyStep(pair.gateway, call.session_id)).toMatchObject({
    status_code: 502,
    meta: { upstream_status_code: 500, outcome: "upstream_broken" },
  });
});

test("a stream's rate-limit headers are passed on, each once", async () => {
  await using call = await pair.call("chat/completions");
  await call.reply.events(chatStream(chatCompletion()), { headers });
  const { status, headers: received } = await call.caller.untilClosed();
  expect(status).toBe(200);
  for (const [name, value] of Object.entries(headers))
    expect(received.split("\r\n").filter((line) => line.startsWith(`${name}:`))).toEqual([
      `${name}: ${value}`,
    ]);
});
