import type { ServerResponse } from "node:http";
import { ApiError, ConnectionError, InvalidAnswerError } from "@proj/http-client";
import { type DemoUpstream, startDemoUpstream } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeSession } from "../../src/gateway/close-session.ts";
import { createGatewayClient } from "../../src/gateway/gateway-client.ts";
import { closedPort, json, startOddServer } from "../odd-server.ts";
import { routeTo, startGateway, type TestGateway } from "../start-gateway.ts";

/** For the tests that need no upstream of their own. */
let upstream: DemoUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startDemoUpstream();
  gateway = await startGateway({ config: { ...routeTo(upstream.url), max_steps: 3 } });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

describe("with a gateway", () => {
  test("it reads readiness and route keys", async () => {
    using client = createGatewayClient({ baseUrl: gateway.url });
    expect(await client.readiness()).toEqual({
      status: "ready",
      storage_type: "sqlite",
      storage_config: { db_url: gateway.db_url },
      max_steps: 3,
      storage_id: expect.stringMatching(/./),
      base_session_path: "/v1/sessions",
      console_path: null,
    });
    expect(await client.models()).toEqual(["policy"]);
  });

  test("it follows a session from its first step to its cleaning", async () => {
    using client = createGatewayClient({ baseUrl: `${gateway.url}/v1/sessions/` });
    expect(await client.session("s-1")).toBeNull();
    await gateway.chat("s-1");
    await gateway.chat("s-1");
    expect(await client.session("s-1")).toMatchObject({ session_id: "s-1", status: "active" });
    expect(await client.latestSuccessStep("s-1", "policy")).toBe(2);
    expect(await client.latestSuccessStep("s-1", "judge")).toBeNull();
    await expect(client.clean("s-1")).rejects.toMatchObject({ code: "session_not_closed" });
    expect(await client.close("s-1")).toMatchObject({
      closed: false,
      status: { status: "closing" },
      retryAfterMs: 10_000,
    });
    expect(await client.close("s-1", { waitS: 5 })).toMatchObject({
      closed: true,
      status: { close: { drained: true, telemetry: "flushed" } },
      retryAfterMs: null,
    });
    expect(await gateway.chat("s-1")).toBe(400);
    expect(await client.clean("s-1")).toBe(true);
    expect(await client.clean("s-1")).toBe(false);
  });

  test("it lists the sessions", async () => {
    using client = createGatewayClient({ baseUrl: gateway.url });
    await client.close("s-2");
    expect(await collect(client.sessions())).toContainEqual(
      expect.objectContaining({ session_id: "s-2", in_flight: 0 }),
    );
  });

  test("it finds sessions at the gateway's own session path", async () => {
    await using gateway = await startGateway({ config: { base_session_path: "/rollouts" } });
    using client = createGatewayClient({ baseUrl: gateway.url });
    expect(await client.sessionBaseUrl("s-1")).toBe(`${gateway.url}/rollouts/s-1`);
    expect(await closeSession(client, "s-1")).toMatchObject({ closed: true });
    expect(await client.session("s-1")).toMatchObject({ status: "closed" });
  });

  test("it sends its key", async () => {
    await using gateway = await startGateway({
      config: { auth: { api_keys: ["key-of-launcher"] } },
    });
    using client = createGatewayClient({ baseUrl: gateway.url, apiKey: "key-of-launcher" });
    using stranger = createGatewayClient({ baseUrl: gateway.url });
    expect(await client.models()).toEqual(["policy"]);
    await expect(stranger.models()).rejects.toMatchObject({ status: 401, code: "invalid_api_key" });
    await expect(stranger.close("s-1")).rejects.toBeInstanceOf(ApiError);
  });

  test("an invalid session id is a TypeError", async () => {
    using client = createGatewayClient({ baseUrl: gateway.url });
    await expect(client.clean("../readyz")).rejects.toThrow(TypeError);
    await expect(closeSession(client, "")).rejects.toThrow(TypeError);
  });
});

describe("with something else", () => {
  test("a gateway with only the basic interface is understood", async () => {
    const readyz = { storage_type: "cloud", storage_config: {}, max_steps: -1 };
    await using server = await startOddServer(
      json(readyz),
      json({}, 200, { "retry-after": "7" }),
      (res) => res.end(),
      json({}),
    );
    using client = createGatewayClient({ baseUrl: server.url });
    expect(await client.close("s-1", { waitS: 2 })).toEqual({
      closed: false,
      status: null,
      retryAfterMs: 7_000,
    });
    expect(await client.close("s-1")).toEqual({ closed: true, status: null, retryAfterMs: null });
    expect(await client.clean("s-1")).toBe(true);
    expect(server.asked.map(({ request, body }) => request + body)).toEqual([
      "GET /readyz",
      "POST /v1/sessions/s-1/close?wait=2",
      "POST /v1/sessions/s-1/close",
      "POST /v1/sessions/s-1/clean",
    ]);
  });

  test("lists are read page by page", async () => {
    await using server = await startOddServer(
      json({ sessions: [{ session_id: "a" }, { session_id: "b" }], next_after: "b" }),
      json({ sessions: [{ session_id: "c" }], next_after: null }),
    );
    using client = createGatewayClient({ baseUrl: server.url, base_session_path: "/v1/sessions" });
    const listed = await collect(client.sessions());
    expect(listed.map(({ session_id }) => session_id)).toEqual(["a", "b", "c"]);
    expect(server.asked.map(({ request }) => request)).toEqual([
      "GET /v1/sessions?limit=1000",
      "GET /v1/sessions?after=b&limit=1000",
    ]);
  });

  test.each([
    ["a web page", (res: ServerResponse) => res.end("<html>")],
    ["other JSON", json({ ok: true })],
    ["a list", json([])],
  ])("%s is not a gateway's answer", async (_what, answer) => {
    await using server = await startOddServer(answer);
    using client = createGatewayClient({ baseUrl: server.url, base_session_path: "/v1/sessions" });
    const calls = [
      client.readiness(),
      client.models(),
      client.session("s"),
      client.latestSuccessStep("s", "policy"),
      collect(client.sessions()),
    ];
    for (const call of await Promise.allSettled(calls))
      expect(call).toMatchObject({ reason: expect.any(InvalidAnswerError) });
  });

  test("a 503 that is not from a gateway is an error, not a readiness", async () => {
    await using server = await startOddServer(json({ error: "no backend" }, 503));
    using client = createGatewayClient({ baseUrl: server.url });
    await expect(client.readiness({ retry: false })).rejects.toMatchObject({ status: 503 });
  });

  test("nothing listens: every call is a ConnectionError, and the paths are asked for again later", async () => {
    using client = createGatewayClient({ baseUrl: await closedPort() });
    await expect(client.clean("s", { retry: false })).rejects.toBeInstanceOf(ConnectionError);
    await expect(client.clean("s", { retry: false })).rejects.toBeInstanceOf(ConnectionError);
  });
});
