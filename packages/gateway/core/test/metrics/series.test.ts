import { noTokens } from "@proj/model-apis";
import { expect, test } from "vitest";
import type { FinishedRequest } from "../../src/call/route.ts";
import { openMetrics, scrape } from "./open-metrics.ts";
import { type MetricFamily, sampleValue } from "./prometheus-text.ts";

const finished: FinishedRequest = {
  status_code: 200,
  outcome: "completed",
  duration_ms: 1_500,
  queue_ms: 20,
  ttft_ms: 250,
};
const chat = { model: "small", endpoint: "chat_completions" };

/** The values of the buckets by their upper bound, of the series with these labels. */
function bucketsOf(
  families: ReadonlyMap<string, MetricFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Record<string, number> {
  const buckets: Record<string, number> = {};
  for (const sample of families.get(name)?.samples ?? []) {
    const { le, ...others } = sample.labels;
    if (le !== undefined && JSON.stringify(others) === JSON.stringify(labels))
      buckets[le] = sample.value;
  }
  return buckets;
}

test("a duration counts in every bucket with a bound at or above it", async () => {
  const metrics = openMetrics();
  const route = metrics.route("small");
  for (const duration_ms of [0, 5, 5.001, 300, 3_600_000, 3_600_001])
    route.finished("chat_completions", { ...finished, duration_ms });
  const families = await scrape(metrics);
  const name = "gateway_request_duration_seconds";
  const upTo = (count: number, ...bounds: string[]) =>
    Object.fromEntries(bounds.map((bound) => [bound, count]));
  expect(bucketsOf(families, name, chat)).toEqual({
    ...upTo(2, "0.005"),
    ...upTo(3, "0.01", "0.025", "0.05", "0.1", "0.25"),
    ...upTo(4, "0.5", "1", "2.5", "5", "10", "30", "60", "120", "300", "600", "1800"),
    ...upTo(5, "3600"),
    ...upTo(6, "+Inf"),
  });
  expect(sampleValue(families, `${name}_count`, chat)).toBe(6);
  expect(sampleValue(families, `${name}_sum`, chat)).toBeCloseTo(7_200.311_001, 9);
});

test("the wait in the queue has a bucket of a millisecond", async () => {
  const metrics = openMetrics();
  metrics.route("small").finished("responses", { ...finished, queue_ms: 1 });
  const buckets = bucketsOf(await scrape(metrics), "gateway_queue_wait_seconds", {
    model: "small",
  });
  expect(buckets["0.001"]).toBe(1);
});

test("the rows of a commit are counted in buckets", async () => {
  const metrics = openMetrics();
  for (const rows of [1, 2, 7, 1_000, 1_001]) metrics.telemetry.committed(rows, 3);
  expect(bucketsOf(await scrape(metrics), "gateway_telemetry_commit_rows")).toEqual({
    ...{ 1: 1, 2: 2, 5: 2, 10: 3, 20: 3, 50: 3, 100: 3, 200: 3, 500: 3, 1000: 4 },
    "+Inf": 5,
  });
});

test("series known in advance start at zero, and no others exist", async () => {
  const families = await scrape(openMetrics());
  const series = (name: string) => families.get(name)?.samples.length;
  const values = [...families]
    .filter(([name]) => name.startsWith("gateway_") && !name.includes("event_loop_lag"))
    .flatMap(([, { samples }]) => samples.map(({ value }) => value));
  expect(new Set(values)).toEqual(new Set([0]));
  for (const name of ["gateway_requests_admitted_total", "gateway_synthetic_stops_total"])
    expect(series(name), name).toBe(8);
  for (const name of ["gateway_prompt_tokens_total", "gateway_completion_tokens_total"])
    expect(series(name), name).toBe(2);
  expect(series("gateway_telemetry_rows_lost_total")).toBe(4);
  for (const name of ["commits", "rows_written", "retries"])
    expect(series(`gateway_telemetry_${name}_total`), name).toBe(1);
  expect(sampleValue(families, "gateway_telemetry_commit_rows_count")).toBe(0);
  expect(sampleValue(families, "gateway_telemetry_commit_duration_seconds_sum")).toBe(0);
  for (const name of ["requests_refused_total", "requests_finished_total"])
    expect(series(`gateway_${name}`), name).toBe(0);
  for (const name of ["request_duration", "time_to_first_byte", "queue_wait"])
    expect(series(`gateway_${name}_seconds`), name).toBe(0);
});

test("reading changes nothing, and counting continues afterwards", async () => {
  const metrics = openMetrics();
  const count = async () => {
    const families = await scrape(metrics);
    return [
      sampleValue(families, "gateway_request_duration_seconds_count", chat),
      sampleValue(families, "gateway_request_duration_seconds_bucket", { ...chat, le: "+Inf" }),
      sampleValue(families, "gateway_prompt_tokens_total", { model: "small" }),
    ];
  };
  const one = () => {
    metrics.route("small").finished("chat_completions", finished);
    metrics.route("small").used({ ...noTokens, prompt_tokens: 10, completion_tokens: 1 }, null);
  };
  one();
  expect(await count()).toEqual([1, 1, 10]);
  expect(await count()).toEqual([1, 1, 10]);
  one();
  expect(await count()).toEqual([2, 2, 20]);
});

test("a route key with any character in it labels every series of its route", async () => {
  const model = '"\\"\n\\n{le="1"},é';
  const metrics = openMetrics({}, [model]);
  const route = metrics.route(model);
  route.refused("responses", "route_saturated");
  route.finished("responses", finished);
  route.used({ ...noTokens, prompt_tokens: 7, completion_tokens: 8 }, null);
  const { body } = await metrics.render();
  expect(body).toContain(
    'gateway_prompt_tokens_total{model="\\"\\\\\\"\\n\\\\n{le=\\"1\\"},é"} 7\n',
  );
  const families = await scrape(metrics);
  const labels = { model, endpoint: "responses" };
  const value = (name: string, more: Record<string, string> = {}) =>
    sampleValue(families, `gateway_${name}`, { ...labels, ...more });
  expect(value("requests_refused_total", { reason: "route_saturated" })).toBe(1);
  expect(value("requests_finished_total", { status_code: "200", outcome: "completed" })).toBe(1);
  expect(value("request_duration_seconds_bucket", { le: "2.5" })).toBe(1);
  expect(value("request_duration_seconds_sum")).toBe(1.5);
  expect(value("time_to_first_byte_seconds_count")).toBe(1);
});

test("an upstream that reports absurdly many tokens cannot spoil the page", async () => {
  const metrics = openMetrics();
  for (let time = 0; time < 3; time += 1)
    metrics
      .route("small")
      .used({ ...noTokens, prompt_tokens: Number.MAX_VALUE, completion_tokens: 1 }, null);
  const families = await scrape(metrics);
  expect(sampleValue(families, "gateway_prompt_tokens_total", { model: "small" })).toBe(
    Number.POSITIVE_INFINITY,
  );
  expect(sampleValue(families, "gateway_completion_tokens_total", { model: "small" })).toBe(3);
});

test("rows that storage refuses are counted as lost for that reason", async () => {
  const metrics = openMetrics();
  metrics.telemetry.lost(2, "refused");
  const name = "gateway_telemetry_rows_lost_total";
  expect(sampleValue(await scrape(metrics), name, { reason: "refused" })).toBe(2);
});
