import {
  chatCompletion,
  chatStream,
  responseObject,
  responseStream,
  waitFor,
} from "@proj/test-kit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  startUpstreamBySession,
  type UpstreamBySession,
} from "../recording/upstream-by-session.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import {
  beginCall,
  chatPath,
  chatRequest,
  metric,
  responsesPath,
  responsesRequest,
} from "./bound-calls.ts";
import { rawCall } from "./raw-caller.ts";
import { holdWriteLock } from "./write-lock.ts";

// An answer ends only once its row is durable. Another connection holds the database's lock.

let upstream: UpstreamBySession;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startUpstreamBySession();
  gateway = await startGateway({ llm_routes: { policy: { base_url: upstream.url } } });
});

// Each test begins and ends with all rows written.
afterEach(() => waitFor(async () => (await queuedRows()) === 0, "all rows to be written"));

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const queuedRows = () => metric(gateway, "gateway_telemetry_queue_rows");
const aRowWaits = () => waitFor(async () => (await queuedRows()) === 1, "a row that waits");

const completion = chatCompletion();
const chatEvents = chatStream(completion).map(String);
const responseEvents = responseStream(responseObject()).map(String);

test("status, headers and body of a plain answer wait for the row", async () => {
  upstream.answer("plain", (_request, reply) => void reply.json(completion));
  using lock = holdWriteLock(gateway.databasePath);
  await using caller = await rawCall(gateway, chatPath("plain"), chatRequest());
  await aRowWaits();
  expect(caller.connection.received.length).toBe(0);
  lock.release();
  await caller.until("chatcmpl-test");
  expect(gateway.steps("plain")).toMatchObject([{ step_id: 1, status_code: 200 }]);
  const { status, headers, body } = await caller.untilClosed();
  expect(status).toBe(200);
  expect(headers).toContain("x-gateway-step-id: 1");
  expect(body).toBe(JSON.stringify(completion));
});

test("an upstream's error waits for the row too", async () => {
  const error = { error: { message: "busy" } };
  upstream.answer("error", (_request, reply) => void reply.json(error, { status: 429 }));
  using lock = holdWriteLock(gateway.databasePath);
  await using caller = await rawCall(gateway, chatPath("error"), chatRequest());
  await aRowWaits();
  expect(caller.connection.received.length).toBe(0);
  lock.release();
  expect(await caller.untilClosed()).toMatchObject({ status: 429, body: JSON.stringify(error) });
  expect(gateway.steps("error")).toMatchObject([{ status_code: 429 }]);
});

test.for([
  { endpoint: "chat", events: chatEvents, path: chatPath, request: chatRequest },
  { endpoint: "responses", events: responseEvents, path: responsesPath, request: responsesRequest },
])(
  "only the terminal event of a $endpoint stream waits for the row",
  async ({ endpoint, events, path, request }) => {
    const session_id = `stream-${endpoint}`;
    const [terminal, ...others] = events.toReversed();
    const beforeTerminal = others.toReversed().join("");
    upstream.answer(session_id, (_request, reply) => void reply.events(events));
    using lock = holdWriteLock(gateway.databasePath);
    await using caller = await rawCall(gateway, path(session_id), request({ stream: true }));
    await aRowWaits();
    const before = await caller.until(beforeTerminal);
    expect(before).toMatchObject({ status: 200, body: beforeTerminal, whole: false });
    lock.release();
    await caller.until(terminal ?? "");
    expect(gateway.steps(session_id)).toMatchObject([{ step_id: 1, status_code: 200 }]);
    expect(await caller.untilClosed()).toMatchObject({ body: events.join(""), whole: true });
  },
);

test.for([
  { endpoint: "chat", events: chatEvents, path: chatPath, request: chatRequest },
  { endpoint: "responses", events: responseEvents, path: responsesPath, request: responsesRequest },
])(
  "a $endpoint stream that comes in one piece is also withheld at its terminal event",
  async ({ endpoint, events, path, request }) => {
    const session_id = `piece-${endpoint}`;
    const beforeTerminal = events.slice(0, -1).join("");
    upstream.answer(session_id, (_request, reply) => void reply.events([events.join("")]));
    using lock = holdWriteLock(gateway.databasePath);
    await using caller = await rawCall(gateway, path(session_id), request({ stream: true }));
    await aRowWaits();
    expect(await caller.until(beforeTerminal)).toMatchObject({ body: beforeTerminal });
    lock.release();
    expect(await caller.untilClosed()).toMatchObject({ body: events.join(""), whole: true });
  },
);

test("a stream's row does not wait for the upstream to close its connection", async () => {
  await using caller = await rawCall(gateway, chatPath("lingers"), chatRequest({ stream: true }));
  const { reply } = await upstream.request("lingers");
  await reply.startEvents();
  await reply.write(chatEvents.join(""));
  expect(await caller.untilClosed()).toMatchObject({ body: chatEvents.join(""), whole: true });
  expect(gateway.steps("lingers")).toMatchObject([{ status_code: 200 }]);
  await reply.end();
});

test("a step is a success even if its caller leaves while the whole answer is withheld", async () => {
  upstream.answer("left", (_request, reply) => void reply.json(completion));
  using lock = holdWriteLock(gateway.databasePath);
  const call = beginCall(gateway, chatPath("left"), chatRequest());
  await aRowWaits();
  call.leave();
  // The gateway sees the caller leave before it sees this.
  await gateway.post("/healthz", {});
  lock.release();
  await waitFor(() => gateway.steps("left").length === 1, "the row");
  expect(gateway.steps("left")).toMatchObject([
    { status_code: 200, meta: { outcome: "completed" } },
  ]);
});

test("withheld bytes count towards the memory for bodies until they are delivered", async () => {
  const content = "x".repeat(1_000_000);
  upstream.answer("large", (_request, reply) => void reply.json(chatCompletion({ content })));
  using lock = holdWriteLock(gateway.databasePath);
  await using caller = await rawCall(gateway, chatPath("large"), chatRequest());
  await aRowWaits();
  expect(await metric(gateway, "gateway_buffered_bytes")).toBeGreaterThan(1_000_000);
  lock.release();
  expect((await caller.untilClosed()).body).toContain(content);
  await waitFor(
    async () => (await metric(gateway, "gateway_buffered_bytes")) === 0,
    "the memory to be given back",
  );
});

test("the upstream's place on the route is free while its answer is withheld", async () => {
  upstream.answer("place", (_request, reply) => void reply.json(completion));
  using lock = holdWriteLock(gateway.databasePath);
  await using caller = await rawCall(gateway, chatPath("place"), chatRequest());
  await aRowWaits();
  const inFlight = () => metric(gateway, 'gateway_requests_in_flight{model="policy"}');
  await waitFor(async () => (await inFlight()) === 0, "the place to be free");
  expect(await queuedRows()).toBe(1);
  lock.release();
  await caller.untilClosed();
});
