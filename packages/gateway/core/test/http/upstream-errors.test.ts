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
  startFaultyUpstream,
  staySilent,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { expectError } from "./error-answer.ts";

const body = { model: "demo", messages: [{ role: "user", content: "Hello" }] };
const paths = {
  unbound: "/v1/chat/completions",
  bound: "/v1/sessions/s/chat/completions",
} as const;

const broken: readonly (readonly [string, string, ReplyHandler])[] = [
  ["resets before its headers", "upstream_unreachable", resetBeforeHeaders()],
  ["closes before its headers", "upstream_unreachable", closeBeforeHeaders()],
  ["answers with something that is not HTTP", "upstream_invalid_response", sendGarbage()],
];

test.each(broken)("an upstream that %s becomes %s", async (_what, code, handler) => {
  await using upstream = await startFaultyUpstream(handler);
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  for (const path of Object.values(paths)) {
    const response = await gateway.post(path, body);
    const isBound = path === paths.bound;
    expect(response.headers.get("x-gateway-session-id")).toBe(isBound ? "s" : null);
    expect(response.headers.get("x-gateway-step-id")).toBe(isBound ? "1" : null);
    expect(await expectError(response, code)).toContain("model 'demo'");
  }
  expect(gateway.steps("s")).toMatchObject([{ step_id: 1, status_code: 502 }]);
});

test("an upstream where nobody listens is unreachable", async () => {
  const nobody = await listen(createServer());
  await nobody.close();
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: `${nobody.url}/v1` } },
  });
  const response = await gateway.post(paths.bound, body);
  expect(response.headers.get("x-gateway-step-id")).toBe("1");
  expect(await expectError(response, "upstream_unreachable")).toContain("ECONNREFUSED");
});

test("an answer that breaks off before its first byte is relayed is an error, with one request id", async () => {
  // Under strict telemetry no byte of a plain answer is sent before its row is written.
  await using upstream = await startFaultyUpstream(
    sendWrongLength(jsonBytes(chatCompletion()), 100),
  );
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const response = await gateway.post(paths.bound, body);
  expect(response.headers.get("x-gateway-step-id")).toBe("1");
  await expectError(response, "upstream_invalid_response");
});

const silent: readonly (readonly [string, string, ReplyHandler])[] = [
  ["says nothing", "first_byte_s", staySilent()],
  ["stops in its headers", "first_byte_s", sendHalfHeaders()],
  [
    "stops in its body",
    "idle_s",
    async (_request, reply) => {
      await reply.start({ headers: { "content-type": "application/json" } });
      await reply.write('{"id":');
    },
  ],
  [
    "dribbles for ever",
    "total_s",
    async (_request, reply) => {
      await reply.start({ headers: { "content-type": "application/json" } });
      const timer = setInterval(() => void reply.write(" "), 20);
      reply.write(" ").then(
        () => {},
        () => {},
      );
      await _request.closed();
      clearInterval(timer);
    },
  ],
];

test.each(silent)("an upstream that %s becomes the time-out %s", async (_what, key, handler) => {
  await using upstream = await startFaultyUpstream(handler);
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url } },
    timeouts: { [key]: 0.3 },
  });
  const response = await gateway.post(paths.bound, body);
  const message = await expectError(response, "upstream_timeout");
  expect(message).toContain(`timeouts.${key}`);
  expect(gateway.steps("s")).toMatchObject([{ status_code: 504 }]);
});

test.each([
  [
    400,
    '{"error":{"message":"bad","type":"t","param":"temperature","code":7}}',
    "application/json",
  ],
  [401, "<html>who?</html>", "text/html"],
  [429, '{"error":"slow down"}', "application/json"],
  [500, "", "text/plain"],
  [529, "overloaded", "text/plain; charset=utf-8"],
])("an upstream's %i is passed on unchanged, with headers and body", async (status, text, type) => {
  const headers = {
    "content-type": type,
    "retry-after": "7",
    "retry-after-ms": "6500",
    "x-should-retry": "false",
    "x-ratelimit-remaining-requests": "0",
    "x-request-id": "req_of_the_upstream",
  };
  await using upstream = await startFaultyUpstream((_request, reply) => {
    void reply.send(text, { status, headers });
  });
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  for (const path of Object.values(paths)) {
    const response = await gateway.post(path, body);
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    expect(response.headers.get("x-gateway-error-source")).toBeNull();
    expect(response.headers.get("server-timing")).toContain("upstream;dur=");
    expect(await response.text()).toBe(text);
  }
  expect(gateway.steps("s")).toMatchObject([{ step_id: 1, status_code: status }]);
});
