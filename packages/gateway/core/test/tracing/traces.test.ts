import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { sessionPlace, simulationPlace, traceparentOf } from "@proj/opentelemetry";
import {
  chatCompletion,
  chatStream,
  startDemoUpstream,
  startFaultyUpstream,
  waitFor,
} from "@proj/test-kit";
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "@proj/test-kit/otlp";
import { expect, test } from "vitest";
import { sessionClient } from "../session/session-client.ts";
import { startGateway } from "../start-gateway.ts";
import { chatRequest } from "../telemetry/bound-calls.ts";

const prices = [{ input: 2, output: 10 }];
const answer = {
  model: "tiny-1",
  choices: [
    { index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi there" } },
  ],
  usage: {
    prompt_tokens: 12,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens: 3,
    completion_tokens_details: { reasoning_tokens: 2 },
  },
};

const traced = (receiver: OtlpReceiver, changes: object = {}) => ({
  opentelemetry: { enabled: true, endpoint: receiver.url, ...changes },
});

/** Spans of calls, not of attempts or sessions. */
const calls = (receiver: OtlpReceiver): ReceivedSpan[] =>
  receiver.spans.filter(({ attributes }) => attributes["gen_ai.operation.name"] !== undefined);

test("a session is a trace, a step a span in it, and an attempt a span below that", async () => {
  await using receiver = await startOtlpReceiver();
  await using upstream = await startFaultyUpstream();
  const gateway = await startGateway({
    ...traced(receiver),
    llm_routes: { demo: { base_url: upstream.url, upstream_model: "tiny", retries: 1, prices } },
  });
  const session = sessionClient(gateway, "s");
  const sent = gateway.post(
    "/v1/sessions/s/chat/completions",
    { model: "demo", messages: [{ role: "user", content: "Hello" }] },
    { "x-gateway-agent": "helper" },
  );
  await (await upstream.nextRequest()).reply.json({}, { status: 503 });
  const second = await upstream.nextRequest();
  await second.reply.json(answer);
  await (await sent).text();
  await session.closeAndWait({ reason: "done" });
  const [row] = gateway.steps("s");
  await gateway.close();

  const step = receiver.spans.find(({ name }) => name === "chat tiny");
  const root = receiver.spans.find(({ name }) => name === "session");
  const attempts = receiver.spans.filter(({ name }) => name === "POST");
  // Receivers take a child that begins before its parent for a sign of clocks that differ.
  expect(root?.started_at).toBe(step?.started_at);
  expect(step).toMatchObject({
    kind: 3,
    status: 0,
    trace_id: root?.trace_id,
    parent_id: root?.span_id,
    service_name: "gateway",
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "tiny",
      "gen_ai.response.model": "tiny-1",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 12,
      "gen_ai.usage.output_tokens": 3,
      "gen_ai.usage.cache_read.input_tokens": 4,
      "gen_ai.usage.reasoning.output_tokens": 2,
      "gen_ai.usage.cost": 0.000_054,
      "gen_ai.conversation.id": "s",
      "gen_ai.agent.id": "helper",
      "gateway.route": "demo",
      "gateway.step_id": 1,
      "gateway.attempts": 2,
      "gateway.request_id": row?.request_id,
    },
  });
  expect(step?.attributes).not.toHaveProperty("gen_ai.input.messages");
  expect(root).toMatchObject({ parent_id: null, attributes: { "gateway.close.reason": "done" } });
  const statuses = attempts.map(({ status, attributes }) => [
    status,
    attributes["http.response.status_code"],
    attributes["http.request.resend_count"],
  ]);
  expect(statuses.toSorted()).toEqual([
    [0, 200, 1],
    [2, 503, undefined],
  ]);
  for (const { parent_id } of attempts) expect(parent_id).toBe(step?.span_id);
  const last = attempts.find(({ status }) => status === 0);
  expect(second.headers.traceparent).toBe(`00-${step?.trace_id}-${last?.span_id}-01`);
});

test("a caller's trace continues and links to its session; without either a new trace begins", async () => {
  await using receiver = await startOtlpReceiver();
  await using upstream = await startFaultyUpstream();
  const gateway = await startGateway({
    ...traced(receiver),
    llm_routes: { demo: { base_url: upstream.url } },
  });
  const [trace_id, parent_id] = [randomBytes(16).toString("hex"), randomBytes(8).toString("hex")];
  const body = { model: "demo", messages: [] };
  const traceparent = `00-${trace_id}-${parent_id}-00`;
  const bound = gateway.post("/v1/sessions/s/chat/completions", body, { traceparent });
  const request = await upstream.nextRequest();
  await request.reply.json(answer);
  await (await bound).text();
  const unbound = gateway.post("/v1/chat/completions", body);
  await (await upstream.nextRequest()).reply.json(answer);
  await (await unbound).text();
  await sessionClient(gateway, "s").closeAndWait();
  await gateway.close();

  const [first, second] = calls(receiver);
  const root = receiver.spans.find(({ name }) => name === "session");
  expect(first).toMatchObject({ trace_id, parent_id, links: [root?.span_id] });
  expect(request.headers.traceparent).toMatch(`00-${trace_id}-`);
  expect(second).toMatchObject({ parent_id: null, links: [] });
  expect(second?.trace_id).not.toBe(trace_id);
});

test("a close in the session's trace is its span's parent, and one in another trace a link", async () => {
  await using receiver = await startOtlpReceiver();
  await using upstream = await startDemoUpstream();
  const gateway = await startGateway({
    ...traced(receiver),
    llm_routes: { demo: { base_url: upstream.url } },
  });
  const closers = {
    within: simulationPlace("within"),
    elsewhere: { trace_id: "a".repeat(32), span_id: "b".repeat(16) },
  };
  for (const [session_id, closer] of Object.entries(closers)) {
    await (await sessionClient(gateway, session_id).chat()).text();
    const headers = { traceparent: traceparentOf(closer) };
    await (await gateway.post(`/v1/sessions/${session_id}/close?wait=30`, {}, headers)).text();
  }
  await gateway.close();
  const [within, elsewhere] = await receiver.received(2, /^session$/);
  const { trace_id, span_id } = sessionPlace("within");
  const parent_id = closers.within.span_id;
  expect(within).toMatchObject({ trace_id, span_id, parent_id, links: [] });
  const links = [closers.elsewhere.span_id];
  expect(elsewhere).toMatchObject({ ...sessionPlace("elsewhere"), parent_id: null, links });
  const steps = receiver.spans.filter(({ name }) => name.startsWith("chat"));
  expect(steps.map(({ parent_id }) => parent_id)).toEqual([span_id, elsewhere?.span_id]);
});

test("a session that is never closed gets its span when it leaves memory or the gateway stops", async () => {
  await using receiver = await startOtlpReceiver();
  await using upstream = await startDemoUpstream();
  const config = { ...traced(receiver), llm_routes: { demo: { base_url: upstream.url } } };
  const idle = await startGateway({ ...config, session_idle_ttl_s: 0.1 });
  await (await sessionClient(idle, "idle").chat()).text();
  const [left] = await receiver.received(1, /^session$/);
  await idle.close();
  const stopped = await startGateway(config);
  await (await sessionClient(stopped, "open").chat()).text();
  await sessionClient(stopped, "looked at")
    .status()
    .catch(() => {});
  await stopped.close();

  const sessions = receiver.spans.filter(({ name }) => name === "session");
  expect(sessions).toHaveLength(2);
  const end = "gateway.session.end";
  expect(left).toMatchObject({ ...sessionPlace("idle"), attributes: { [end]: "idle" } });
  expect(sessions[1]).toMatchObject({
    ...sessionPlace("open"),
    parent_id: null,
    attributes: { [end]: "gateway_stopped" },
  });
});

test("a dead receiver delays no call, and lost spans are counted", async () => {
  const gone = await startOtlpReceiver();
  await gone[Symbol.asyncDispose]();
  await using upstream = await startFaultyUpstream();
  await using gateway = await startGateway({
    ...traced(gone, { queue_max_spans: 4 }),
    llm_routes: { demo: { base_url: upstream.url } },
  });
  const session = sessionClient(gateway, "s");
  for (let index = 0; index < 4; index += 1) {
    const sent = session.chat();
    await (await upstream.nextRequest()).reply.json(answer);
    expect((await sent).status).toBe(200);
    await (await sent).text();
  }
  const lost = async (): Promise<boolean> => {
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    const [, queued] = /^gateway_spans_queued (\d+)/m.exec(text) ?? [];
    const [, count] = /^gateway_spans_lost_total\{reason="queue_full"\} (\d+)/m.exec(text) ?? [];
    return Number(queued) === 4 && Number(count) === 4;
  };
  await waitFor(lost, "four spans to be waiting and four to be lost");
});

test("contents are included on request, without the route's secrets", async () => {
  await using receiver = await startOtlpReceiver();
  await using upstream = await startFaultyUpstream();
  const gateway = await startGateway({
    ...traced(receiver, { capture_content: true }),
    telemetry: { redact_sensitive_fields: false },
    llm_routes: { demo: { base_url: upstream.url, api_key: "sk-route-secret" } },
  });
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "Hello" }] },
  ];
  const sent = gateway.post("/v1/sessions/s/chat/completions", { model: "demo", messages });
  const call = { id: "c1", type: "function", function: { name: "look", arguments: "{}" } };
  const message = { role: "assistant", content: "Hi sk-route-secret", tool_calls: [call] };
  const choices = [{ index: 0, finish_reason: "tool_calls", message }];
  await (await upstream.nextRequest()).reply.json({ ...answer, choices });
  await (await sent).text();
  await gateway.close();
  const [span] = calls(receiver);
  const read = (name: string): unknown => JSON.parse(String(span?.attributes[name]));
  expect(read("gen_ai.input.messages")).toEqual([
    { role: "system", parts: [{ type: "text", content: "Be brief." }] },
    { role: "user", parts: [{ type: "text", content: "Hello" }] },
  ]);
  expect(read("gen_ai.output.messages")).toEqual([
    {
      role: "assistant",
      parts: [
        { type: "text", content: "Hi ***" },
        { type: "tool_call", id: "c1", name: "look", arguments: "{}" },
      ],
      finish_reason: "tool_calls",
    },
  ]);
});

test("contents of streams are included too, even if nothing else keeps them", async () => {
  await using receiver = await startOtlpReceiver();
  await using upstream = await startFaultyUpstream();
  const gateway = await startGateway({
    ...traced(receiver, { capture_content: true }),
    telemetry: { capture_payload: "none" },
    request_log: { enabled: false },
    llm_routes: { demo: { base_url: upstream.url } },
  });
  const events = chatStream(chatCompletion({ content: "Streamed." }));
  for (const path of ["/v1/chat/completions", "/v1/sessions/s/chat/completions"]) {
    upstream.script((_request, reply) => void reply.events(events));
    await (await gateway.post(path, chatRequest({ model: "demo", stream: true }))).text();
  }
  await gateway.close();
  const said = calls(receiver).map(({ attributes }) => attributes["gen_ai.output.messages"]);
  expect(said).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining('"content":"Streamed."')),
  );
});

test("without tracing, OpenTelemetry's SDK is not loaded", () => {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    await import("@proj/gateway-core");
    // prom-client depends on the interface package, which is small.
    const isSdk = (url) => /@opentelemetry\\/(?!api\\/)/.test(url);
    console.log(loaded.length > 100, loaded.filter(isSdk));
    await import("@proj/opentelemetry/tracer");
    console.log(loaded.some(isSdk));
  `;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@proj/source", "--input-type=module", "--eval", program],
    { cwd: new URL("../..", import.meta.url), encoding: "utf8" },
  );
  expect({ stdout, stderr }).toEqual({ stdout: "true []\ntrue\n", stderr: "" });
});
