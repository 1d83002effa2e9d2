import { ApiError, ConnectionError } from "@proj/http-client";
import { type FaultyUpstream, startFaultyUpstream } from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSession } from "../../src/gateway/close-session.ts";
import { createGatewayClient } from "../../src/gateway/gateway-client.ts";
import { closedPort, json, startOddServer } from "../odd-server.ts";
import { routeTo, startGateway, type TestGateway } from "../start-gateway.ts";

const base_session_path = "/v1/sessions";
const body = (status: string): object => ({ session_id: "s", status });

/** For the tests that need no upstream of their own. */
let upstream: FaultyUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startFaultyUpstream();
  gateway = await startGateway({ config: routeTo(upstream.url) });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

test("an idle session is closed by one request that waits for it", async () => {
  using client = createGatewayClient({ baseUrl: gateway.url });
  expect(await closeSession(client, "s-1", { reason: "done" })).toMatchObject({
    closed: true,
    status: { status: "closed", close: { reason: "done", drained: true, telemetry: "flushed" } },
    error: null,
  });
});

test("requests in flight end first", async () => {
  using client = createGatewayClient({ baseUrl: gateway.url });
  const chat = gateway.chat("s-2");
  const { reply } = await upstream.nextRequest();
  expect(await closeSession(client, "s-2", { timeoutMs: 1_500 })).toMatchObject({
    closed: false,
    status: { status: "closing", in_flight: 1 },
    error: null,
  });
  const closing = closeSession(client, "s-2");
  await reply.json({ id: "c", object: "chat.completion", choices: [] });
  expect(await closing).toMatchObject({ closed: true, status: { close: { drained: true } } });
  expect(await chat).toBe(200);
});

test("requests in flight are cut off if that is asked for", async () => {
  using client = createGatewayClient({ baseUrl: gateway.url });
  const chat = gateway.chat("s-3");
  await upstream.nextRequest();
  expect(await closeSession(client, "s-3", { mode: "abort" })).toMatchObject({
    closed: true,
    status: { close: { forced: true, drained: false } },
  });
  expect(await chat).toBe(400);
});

test("a gateway that ignores `wait` is polled no sooner than its Retry-After says", async () => {
  const closing = json(body("closing"), 200, { "retry-after": "0.2" });
  await using server = await startOddServer(closing, closing, json(body("closed")));
  using client = createGatewayClient({ baseUrl: server.url, base_session_path });
  const outcome = await closeSession(client, "s", { minDelayMs: 1, maxDelayMs: 10 });
  expect(outcome).toEqual({ closed: true, status: body("closed"), error: null });
  const [first = 0, second = 0, third = 0] = server.asked.map(({ at }) => at);
  // Timers may fire a millisecond early.
  expect(Math.min(second - first, third - second)).toBeGreaterThan(195);
});

test("a gateway that waits is asked again at once, whatever its Retry-After says", async () => {
  await using server = await startOddServer(
    async (res, { request }) => {
      const waitS = Number(new URL(request.slice(5), "http://host").searchParams.get("wait"));
      await new Promise((resolve) => setTimeout(resolve, 1_000 * waitS));
      res.writeHead(200, { "retry-after": "10" }).end(JSON.stringify(body("closing")));
    },
    json(body("closed")),
  );
  using client = createGatewayClient({ baseUrl: server.url, base_session_path });
  const closing = closeSession(client, "s", { timeoutMs: 2_000, minDelayMs: 1 });
  expect(await closing).toMatchObject({ closed: true });
});

test("running out of time while the session is closing is an answer, not an error", async () => {
  await using server = await startOddServer(json(body("closing"), 200, { "retry-after": "10" }));
  using client = createGatewayClient({ baseUrl: server.url, base_session_path });
  const outcome = await closeSession(client, "s", { timeoutMs: 5_000 });
  expect(outcome).toEqual({ closed: false, status: body("closing"), error: null });
  expect(server.asked).toHaveLength(1);
});

test("a gateway that never answers takes no more than the given time", async () => {
  await using server = await startOddServer(() => {});
  using client = createGatewayClient({ baseUrl: server.url, base_session_path });
  const outcome = await closeSession(client, "s", { timeoutMs: 200, minDelayMs: 1 });
  expect(outcome).toMatchObject({ closed: false, status: null, error: { name: "TimeoutError" } });
});

test("a gateway out of reach is tried again until it answers", async () => {
  await using before = await startGateway();
  await before.close();
  using client = createGatewayClient({ baseUrl: before.url });
  const closing = closeSession(client, "s", { minDelayMs: 20, maxDelayMs: 50 });
  await using _after = await startGateway({ port: before.port });
  expect(await closing).toMatchObject({ closed: true, error: null });
});

test("a gateway that stays out of reach is tried until the time is up, and the outcome says why", async () => {
  using client = createGatewayClient({ baseUrl: await closedPort() });
  const outcome = await closeSession(client, "s", { timeoutMs: 1_500, minDelayMs: 10 });
  expect(outcome).toEqual({ closed: false, status: null, error: expect.any(ConnectionError) });
});

test("an overloaded gateway is given the time it asks for", async () => {
  const overloaded = json({ error: { code: "overloaded" } }, 503, { "retry-after-ms": "150" });
  await using server = await startOddServer(overloaded, json(body("closed")));
  using client = createGatewayClient({ baseUrl: server.url, base_session_path });
  expect(await closeSession(client, "s", { minDelayMs: 1 })).toMatchObject({ closed: true });
  const [first = 0, second = 0] = server.asked.map(({ at }) => at);
  expect(second - first).toBeGreaterThan(145);
});

test("a refusal that a retry cannot change ends it at once", async () => {
  await using gateway = await startGateway({ config: { auth: { api_keys: ["key-of-launcher"] } } });
  using client = createGatewayClient({ baseUrl: gateway.url });
  const { closed, error } = await closeSession(client, "s");
  expect(closed).toBe(false);
  expect(error).toBeInstanceOf(ApiError);
  expect(error?.message).toContain("401");
});

test("an abort ends it with the signal's reason", async () => {
  await using server = await startOddServer(() => abort.abort("the launcher stops"));
  const abort = new AbortController();
  using client = createGatewayClient({ baseUrl: server.url, base_session_path });
  const closing = closeSession(client, "s", { signal: abort.signal });
  await expect(closing).rejects.toBe("the launcher stops");
});
