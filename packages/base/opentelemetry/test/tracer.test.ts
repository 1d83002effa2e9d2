import { waitFor } from "@proj/test-kit";
import { startOtlpReceiver } from "@proj/test-kit/otlp";
import { expect, onTestFinished, test, vi } from "vitest";
import type { SpanEnd, Tracer, TracerOptions } from "../src/index.ts";
import { openTracer } from "../src/open-tracer.ts";

interface Opened {
  readonly tracer: Tracer;
  readonly told: string[];
}

function open(endpoint: string | null, options: Partial<TracerOptions> = {}): Opened {
  const told: string[] = [];
  const tracer = openTracer({
    endpoint,
    headers: {},
    service_name: "gateway",
    queue_max_spans: 2_000,
    onFailing: (error) => told.push(`failing: ${error.message}`),
    onRecovered: () => told.push("recovered"),
    ...options,
  });
  onTestFinished(() => tracer.close());
  return { tracer, told };
}

const ending: SpanEnd = { attributes: {}, error: null, ended_at: 1_000 };
const noLoss = { queue_full: 0, refused: 0, shutdown: 0 };

function spanOf(tracer: Tracer, name = "step"): void {
  tracer.begin({ name, parent: null, started_at: 0 }).end(ending);
}

test("spans go to the receiver with their ids, times, attributes, links and errors", async () => {
  await using receiver = await startOtlpReceiver();
  const { tracer } = open(receiver.url, { headers: { "x-api-key": "k" } });
  const place = { trace_id: "1".repeat(32), span_id: "2".repeat(16) };
  const session = tracer.begin({ name: "session", parent: null, place, started_at: 1_000 });
  expect(session.traceparent).toBe(`00-${"1".repeat(32)}-${"2".repeat(16)}-01`);
  const link = { trace_id: "3".repeat(32), span_id: "4".repeat(16) };
  const step = tracer.begin({
    name: "chat",
    kind: "client",
    parent: session,
    links: [link],
    started_at: 1_500.25,
  });
  step.end({
    attributes: { text: "a", count: 2, part: 0.5, is: true, list: ["x", "y"], left: undefined },
    error: "timeout",
    ended_at: 1_502,
  });
  session.end({ ...ending, ended_at: 3_000 });
  await tracer.close();

  expect(receiver.requests[0]).toMatchObject({
    "x-api-key": "k",
    "content-type": "application/x-protobuf",
  });
  const attributes = { text: "a", count: 2, part: 0.5, is: true, list: ["x", "y"] };
  expect(receiver.spans).toEqual([
    {
      name: "chat",
      trace_id: place.trace_id,
      span_id: step.span_id,
      parent_id: place.span_id,
      kind: 3,
      status: 2,
      started_at: 1_500_250_000n,
      duration: 1_750_000n,
      attributes: { ...attributes, "error.type": "timeout" },
      links: [link.span_id],
      service_name: "gateway",
      resource: { "service.name": "gateway" },
    },
    {
      name: "session",
      ...place,
      parent_id: null,
      kind: 1,
      status: 0,
      started_at: 1_000_000_000n,
      duration: 2_000_000_000n,
      attributes: {},
      links: [],
      service_name: "gateway",
      resource: { "service.name": "gateway" },
    },
  ]);
  expect(tracer.counts).toEqual({ queued: 0, exported: 2, lost: noLoss });
});

test("what a dead receiver could not take is sent once it is back, each span once", async () => {
  const gone = await startOtlpReceiver();
  const { port } = gone;
  await gone[Symbol.asyncDispose]();
  // Too short for the exporter to try again by itself, which it does after 0.8 s at the earliest.
  const { tracer, told } = open(`http://127.0.0.1:${port}`, { timeoutMs: 700 });
  for (let index = 0; index < 1_200; index += 1) spanOf(tracer, `step ${index}`);
  await waitFor(() => told.length > 0, "the failure is told");
  expect(tracer.counts).toEqual({ queued: 1_200, exported: 0, lost: noLoss });

  await using receiver = await startOtlpReceiver(port);
  await receiver.received(1_200);
  await waitFor(() => tracer.counts.exported === 1_200, "all are acknowledged");
  expect(new Set(receiver.spans.map(({ name }) => name)).size).toBe(1_200);
  // On a machine that is busy an export to the new receiver may take too long once more.
  expect(told.join("\n")).toMatch(/^(?:failing: .*\nrecovered(?:\n|$))+$/);
});

test("beyond the bound the newest spans are lost, and counted", async () => {
  await using receiver = await startOtlpReceiver();
  receiver.status = 503;
  const { tracer } = open(receiver.url, { queue_max_spans: 10, timeoutMs: 200 });
  for (let index = 0; index < 25; index += 1) spanOf(tracer, `step ${index}`);
  expect(tracer.counts).toEqual({ queued: 10, exported: 0, lost: { ...noLoss, queue_full: 15 } });
  receiver.status = 200;
  await tracer.close();
  expect(receiver.spans.map(({ name }) => name)).toEqual(
    Array.from({ length: 10 }, (_, index) => `step ${index}`),
  );
});

test("spans that the receiver refuses are lost, and counted, and the next ones are sent", async () => {
  await using receiver = await startOtlpReceiver();
  receiver.status = 400;
  const { tracer } = open(receiver.url);
  spanOf(tracer, "refused");
  await waitFor(() => tracer.counts.lost.refused === 1, "the span is refused");
  receiver.status = 200;
  spanOf(tracer, "taken");
  await tracer.close();
  expect(receiver.spans.map(({ name }) => name)).toEqual(["taken"]);
  spanOf(tracer, "late");
  expect(tracer.counts).toEqual({
    queued: 0,
    exported: 1,
    lost: { queue_full: 0, refused: 1, shutdown: 1 },
  });
});

test("spans that the receiver takes a batch without are lost as refused", async () => {
  await using receiver = await startOtlpReceiver();
  receiver.rejects = 2;
  const { tracer, told } = open(receiver.url);
  for (let index = 0; index < 5; index += 1) spanOf(tracer);
  await tracer.close();
  expect(tracer.counts).toEqual({ queued: 0, exported: 3, lost: { ...noLoss, refused: 2 } });
  expect(told).toEqual([]);
});

test("a batch is sent once it is long, however few spans it has", async () => {
  await using receiver = await startOtlpReceiver();
  const { tracer } = open(receiver.url);
  const text = "x".repeat(300_000);
  for (let index = 0; index < 8; index += 1)
    tracer
      .begin({ name: "long", parent: null, started_at: 0 })
      .end({ ...ending, attributes: { text } });
  await tracer.close();
  expect(receiver.spans).toHaveLength(8);
  expect(receiver.requests).toHaveLength(2);
});

test("the standard's variables name the service and describe it", async () => {
  await using receiver = await startOtlpReceiver();
  vi.stubEnv("OTEL_SERVICE_NAME", "mine");
  vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=prod,service.name=other");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { tracer } = open(receiver.url);
  spanOf(tracer);
  await tracer.close();
  expect(receiver.spans[0]?.resource).toEqual({
    "service.name": "mine",
    "deployment.environment.name": "prod",
  });
});

test("without an endpoint the standard's variables name the receiver", async () => {
  await using receiver = await startOtlpReceiver();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url);
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20t");
  vi.stubEnv("OTEL_SERVICE_NAME", "named");
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { tracer } = open(null);
  spanOf(tracer);
  await tracer.close();
  expect(receiver.spans).toMatchObject([{ name: "step", service_name: "named" }]);
  expect(receiver.requests[0]).toMatchObject({ authorization: "Bearer t" });
});
