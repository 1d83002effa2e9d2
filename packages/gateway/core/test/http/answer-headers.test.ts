import {
  chatCompletion,
  chatStream,
  responseObject,
  responseStream,
  startFaultyUpstream,
} from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";

const body = { model: "demo", messages: [{ role: "user", content: "Hello" }], input: "Hello" };
const timing = /^gateway;dur=\d+\.\d{3}, queue;dur=\d+\.\d{3}, upstream;dur=\d+\.\d{3}$/;

test("the caller's own headers go upstream, but not its credentials or its address", async () => {
  await using upstream = await startFaultyUpstream((_request, reply) => {
    void reply.json(chatCompletion());
  });
  await using gateway = await startGateway({
    llm_routes: { demo: { base_url: upstream.url, api_key: "sk-up", headers: { "X-Team": "rl" } } },
  });
  const forwarded = {
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "openai-beta": "assistants=v2",
    "x-stainless-retry-count": "1",
    "user-agent": "agent/1",
    accept: "application/json",
    "content-type": "application/json; charset=utf-8",
    "x-custom": "kept",
  };
  const response = await gateway.post("/v1/sessions/a:b/chat/completions", body, {
    ...forwarded,
    authorization: "Bearer of-the-caller",
    "proxy-authorization": "Basic x",
    "x-api-key": "of-the-caller",
    "api-key": "of-the-caller",
    cookie: "session=secret",
    forwarded: "for=10.0.0.1",
    "x-forwarded-for": "10.0.0.1",
    "x-forwarded-host": "inside",
    "accept-encoding": "gzip, br",
    "x-session-id": "of-somebody-else",
  });
  expect(response.status).toBe(200);
  const { headers, rawHeaders, path, body: sent } = await upstream.nextRequest();
  expect(path).toBe("/v1/chat/completions");
  expect(sent.toString()).toBe(JSON.stringify(body));
  expect(headers).toMatchObject({
    ...forwarded,
    authorization: "Bearer sk-up",
    "accept-encoding": "identity",
    "x-session-id": "a:b",
    "x-team": "rl",
    host: `127.0.0.1:${upstream.port}`,
    "content-length": String(sent.length),
  });
  const text = rawHeaders.join("\n");
  for (const secret of ["of-the-caller", "Basic x", "session=secret", "10.0.0.1", "inside"])
    expect(text).not.toContain(secret);
  expect(text).not.toContain("of-somebody-else");
});

test("the upstream's own headers come back, but not those about its connection or origin", async () => {
  const returned = {
    "content-type": "application/json",
    "x-request-id": "req_upstream",
    "openai-processing-ms": "12",
    "x-ratelimit-limit-requests": "100",
    "retry-after": "3",
    "x-custom": "kept",
    "access-control-allow-origin": "*",
    "server-timing": "model;dur=5",
  };
  await using upstream = await startFaultyUpstream((_request, reply) => {
    const kept = { ...returned, connection: "keep-alive, x-hop", "x-hop": "gone" };
    const dropped = {
      "keep-alive": "timeout=1",
      "set-cookie": "id=1",
      "alt-svc": 'h3=":443"',
      "strict-transport-security": "max-age=1",
      "x-gateway-session-id": "forged",
      "x-gateway-stop": "forged",
    };
    void reply.json(chatCompletion(), { headers: { ...kept, ...dropped } });
  });
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const { headers } = await gateway.post("/v1/sessions/s/chat/completions", body);
  const { "server-timing": upstreamTiming, ...others } = returned;
  expect(Object.fromEntries(headers)).toMatchObject(others);
  expect(headers.get("x-gateway-session-id")).toBe("s");
  expect(headers.get("server-timing")).toMatch(new RegExp(`^${upstreamTiming}, gateway;dur=`));
  expect(headers.get("keep-alive")).not.toBe("timeout=1");
  for (const name of [
    "set-cookie",
    "alt-svc",
    "strict-transport-security",
    "x-hop",
    "x-gateway-stop",
  ])
    expect(headers.get(name)).toBeNull();
});

const answers = {
  "a plain answer": ["chat/completions", false],
  "a stream": ["chat/completions", true],
  "a plain response": ["responses", false],
  "a streamed response": ["responses", true],
} as const;

test.each(Object.entries(answers))(
  "%s carries its request id, its timing, its session and its step",
  async (_what, [endpoint, stream]) => {
    await using upstream = await startFaultyUpstream(async (_request, reply) => {
      if (endpoint === "responses")
        await (stream
          ? reply.events(responseStream(responseObject()))
          : reply.json(responseObject()));
      else
        await (stream ? reply.events(chatStream(chatCompletion())) : reply.json(chatCompletion()));
    });
    await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
    for (const step of ["1", "2"]) {
      const bound = await gateway.post(`/v1/sessions/s/${endpoint}`, { ...body, stream });
      expect(bound.headers.get("server-timing")).toMatch(timing);
      expect(bound.headers.get("x-gateway-session-id")).toBe("s");
      expect(bound.headers.get("x-gateway-step-id")).toBe(step);
      await bound.text();
      const row = gateway.steps("s").at(-1);
      expect(bound.headers.get("x-request-id")).toBe(row?.request_id);
    }
    const unbound = await gateway.post(`/v1/${endpoint}`, { ...body, stream });
    expect(unbound.headers.get("server-timing")).toMatch(timing);
    expect(unbound.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
    expect(unbound.headers.get("x-gateway-session-id")).toBeNull();
    expect(unbound.headers.get("x-gateway-step-id")).toBeNull();
    await unbound.text();
  },
);

test("the upstream's time does not count as the gateway's", async () => {
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const answer = gateway.post("/v1/sessions/s/chat/completions", body);
  const { reply } = await upstream.nextRequest();
  const began = performance.now();
  while (performance.now() - began < 60) await new Promise((resolve) => setTimeout(resolve, 5));
  await reply.json(chatCompletion());
  const value = (await answer).headers.get("server-timing") ?? "";
  const upstreamMs = Number(/upstream;dur=([\d.]+)/.exec(value)?.[1]);
  expect(upstreamMs).toBeGreaterThanOrEqual(59);
});

test("the synthetic stop names its session and no step", async () => {
  await using gateway = await startGateway({
    max_steps: 0,
    llm_routes: { demo: { base_url: "http://127.0.0.1:9/v1" } },
  });
  for (const stream of [false, true]) {
    const response = await gateway.post("/v1/sessions/s/chat/completions", { ...body, stream });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-gateway-stop")).toBe("max_steps");
    expect(response.headers.get("x-gateway-session-id")).toBe("s");
    expect(response.headers.get("x-gateway-step-id")).toBeNull();
    expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
    expect(response.headers.get("server-timing")).toMatch(timing);
    await response.text();
  }
});

test("a stream never carries the length that the upstream announced", async () => {
  // The gateway adds comments and error events; a length that is exceeded breaks the connection.
  const events = Buffer.concat(chatStream(chatCompletion()));
  await using upstream = await startFaultyUpstream((_request, reply) => {
    void reply.send(events, { headers: { "content-type": "text/event-stream" } });
  });
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: upstream.url } } });
  const response = await gateway.post("/v1/chat/completions", { ...body, stream: true });
  expect(response.headers.get("content-length")).toBeNull();
  expect(await response.text()).toBe(events.toString());
});
