import { createHash } from "node:crypto";
import {
  chatCompletion,
  chatStream,
  type FaultyUpstream,
  type ReplyHandler,
  responseObject,
  responseStream,
  startFaultyUpstream,
} from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import {
  chatPath,
  chatRequest,
  onlyStep,
  responsesPath,
  responsesRequest,
} from "../telemetry/bound-calls.ts";

/** The members that docs/interfaces.md promises for every row, "Gateway: storage". */
const promised = [
  ...["status_code", "upstream_status_code", "outcome", "endpoint", "request_id"],
  ...["upstream_request_id", "trace_id", "client_retry_count", "caller", "upstream_model"],
  ...["replica", "attempts", "body_sha256", "is_stream", "finish_reason", "error"],
  ...["prompt_tokens", "completion_tokens", "ttft_ms", "upstream_ms", "gateway_ms", "queue_ms"],
  ...["request_bytes", "response_bytes", "truncated", "started_at"],
];

async function start(
  handler: ReplyHandler,
  route: Record<string, unknown> = {},
  config: Record<string, unknown> = {},
): Promise<{ gateway: TestGateway; upstream: FaultyUpstream }> {
  const upstream = await startFaultyUpstream(handler);
  onTestFinished(() => upstream.close());
  const gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url, ...route } },
    ...config,
  });
  onTestFinished(() => gateway.close());
  return { gateway, upstream };
}

const completion = chatCompletion();
const response = responseObject();
const streamed = (events: readonly Buffer[]) => ({
  handler: ((_request, reply) => void reply.events(events)) satisfies ReplyHandler,
  bytes: Buffer.concat(events).length,
});
const plain = (body: object) => ({
  handler: ((_request, reply) => void reply.json(body)) satisfies ReplyHandler,
  bytes: JSON.stringify(body).length,
});

test.for([
  { endpoint: "chat_completions", is_stream: false, ...plain(completion), finish: "stop" },
  {
    endpoint: "chat_completions",
    is_stream: true,
    ...streamed(chatStream(completion)),
    finish: "stop",
  },
  { endpoint: "responses", is_stream: false, ...plain(response), finish: "completed" },
  {
    endpoint: "responses",
    is_stream: true,
    ...streamed(responseStream(response)),
    finish: "completed",
  },
] as const)(
  "a row has every member that is promised for a step: $endpoint, streamed: $is_stream",
  async ({ endpoint, is_stream, handler, bytes, finish }) => {
    const { gateway, upstream } = await start(handler);
    const isChat = endpoint === "chat_completions";
    const body = isChat
      ? chatRequest({ stream: is_stream })
      : responsesRequest({ stream: is_stream });
    const before = Date.now();
    const answer = await gateway.post((isChat ? chatPath : responsesPath)("told"), body);
    await answer.text();
    const { meta, ...row } = await onlyStep(gateway, "told");
    expect(Object.keys(meta)).toEqual(expect.arrayContaining(promised));
    const sent = Buffer.from(JSON.stringify(body));
    expect(meta).toMatchObject({
      status_code: 200,
      upstream_status_code: 200,
      outcome: "completed",
      endpoint,
      request_id: row.request_id,
      upstream_request_id: null,
      trace_id: null,
      client_retry_count: null,
      caller: null,
      upstream_model: "policy",
      replica: upstream.url,
      attempts: 1,
      body_sha256: createHash("sha256").update(sent).digest("hex"),
      is_stream,
      finish_reason: finish,
      error: null,
      prompt_tokens: 11,
      completion_tokens: 5,
      request_bytes: sent.length,
      response_bytes: bytes,
      truncated: false,
    });
    const { ttft_ms, upstream_ms, gateway_ms, queue_ms } = meta;
    for (const time of [ttft_ms, upstream_ms, gateway_ms, queue_ms])
      expect(time).toBeGreaterThanOrEqual(0);
    expect(ttft_ms).toBeLessThanOrEqual(Number(upstream_ms));
    expect(meta.started_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(String(meta.started_at))).toBeGreaterThanOrEqual(before);
    expect(Date.parse(String(row.created_at))).toBeGreaterThanOrEqual(before);
    expect(row).toMatchObject({ model: "policy", step_id: 1, status_code: 200, is_trainable: 0 });
    expect(answer.headers.get("x-request-id")).toBe(row.request_id);
  },
);

test("a row names the caller, the trace, the client's retry and the upstream's own id", async () => {
  const { gateway, upstream } = await start(
    (_request, reply) => {
      const headers = { "x-request-id": "req_up_1", "x-weight-version": "w7", "x-other": "no" };
      void reply.json(completion, { headers });
    },
    {
      upstream_model: "vendor/policy-7b",
      record_headers: ["X-Weight-Version", "x-absent"],
      record_request_headers: ["X-Trial", "authorization", "x-not-sent", "x-trial"],
    },
    { auth: { api_keys: [{ name: "trainer", key: "key-of-trainer" }] } },
  );
  const body = chatRequest();
  const answer = await gateway.post(chatPath("named"), body, {
    authorization: "Bearer key-of-trainer",
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "x-stainless-retry-count": "2",
    "x-trial": "nucleus 0.9",
  });
  expect(answer.headers.get("x-request-id")).toBe("req_up_1");
  await answer.text();
  expect((await onlyStep(gateway, "named")).meta).toMatchObject({
    caller: "trainer",
    trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
    client_retry_count: 2,
    upstream_request_id: "req_up_1",
    upstream_model: "vendor/policy-7b",
    headers: { "x-weight-version": "w7" },
    request_headers: { "x-trial": "nucleus 0.9", authorization: "[REDACTED]" },
    // Digest of what the caller sent, so that retries can be recognised, not of what was forwarded.
    body_sha256: createHash("sha256").update(JSON.stringify(body)).digest("hex"),
  });
  expect(upstream.requests[0]?.json()).toMatchObject({ model: "vendor/policy-7b" });
});

test.for([
  "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
  "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  "garbage",
])("a trace header that W3C calls invalid names no trace: %s", async (traceparent) => {
  const { gateway } = await start(plain(completion).handler);
  const headers = { traceparent, "x-stainless-retry-count": "many" };
  await (await gateway.post(chatPath("untraced"), chatRequest(), headers)).text();
  const { meta } = await onlyStep(gateway, "untraced");
  expect(meta).toMatchObject({ trace_id: null, client_retry_count: null });
});

test("the wait for a place on the route is recorded as queue time", async () => {
  const { gateway, upstream } = await start(() => {}, { max_concurrency: 1 });
  const first = gateway.post(chatPath("waits"), chatRequest());
  const { reply } = await upstream.nextRequest();
  const second = gateway.post(chatPath("waits"), chatRequest());
  await expect.poll(async () => inFlight(gateway, "waits")).toBe(2);
  const before = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 30));
  const waited = performance.now() - before;
  await reply.json(completion);
  await (await upstream.nextRequest()).reply.json(completion);
  await (await first).text();
  await (await second).text();
  const [one, two] = gateway.steps("waits");
  expect(one?.meta.queue_ms).toBeLessThan(waited);
  expect(two?.meta.queue_ms).toBeGreaterThanOrEqual(Math.floor(waited));
});

async function inFlight(gateway: TestGateway, session_id: string): Promise<unknown> {
  const status = await (await fetch(gateway.sessionUrl(session_id))).json();
  return (status as { in_flight: number }).in_flight;
}
