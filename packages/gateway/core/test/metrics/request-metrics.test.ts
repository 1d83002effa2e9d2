import { noTokens } from "@proj/model-apis";
import { expect, test } from "vitest";
import type { FinishedRequest } from "../../src/call/route.ts";
import { openMetrics, scrape } from "./open-metrics.ts";
import { sampleValue } from "./prometheus-text.ts";

const finished: FinishedRequest = {
  status_code: 200,
  outcome: "completed",
  duration_ms: 1_500,
  queue_ms: 20,
  ttft_ms: 250,
};
const chat = { model: "small", endpoint: "chat_completions" };

test("requests are counted by route and endpoint, from zero on", async () => {
  const metrics = openMetrics();
  const name = "gateway_requests_admitted_total";
  expect(sampleValue(await scrape(metrics), name, chat)).toBe(0);
  metrics.route("small").admitted("chat_completions");
  metrics.route("small").admitted("chat_completions");
  metrics.route("small").admitted("responses");
  const families = await scrape(metrics);
  expect(sampleValue(families, name, chat)).toBe(2);
  expect(sampleValue(families, name, { model: "small", endpoint: "responses" })).toBe(1);
  expect(sampleValue(families, name, { model: "large", endpoint: "chat_completions" })).toBe(0);
});

test("refusals are counted by reason, with the route where it is known", async () => {
  const metrics = openMetrics();
  metrics.refused("model_not_found");
  metrics.refused("model_not_found");
  metrics.route("small").refused("chat_completions", "route_saturated");
  const families = await scrape(metrics);
  const name = "gateway_requests_refused_total";
  expect(sampleValue(families, name, { reason: "model_not_found" })).toBe(2);
  expect(sampleValue(families, name, { ...chat, reason: "route_saturated" })).toBe(1);
});

test("requests that have ended are counted by status code and outcome", async () => {
  const metrics = openMetrics();
  const route = metrics.route("small");
  route.finished("chat_completions", finished);
  route.finished("chat_completions", finished);
  route.finished("chat_completions", { ...finished, status_code: 499, outcome: "caller_gone" });
  const families = await scrape(metrics);
  const name = "gateway_requests_finished_total";
  const whole = { ...chat, status_code: "200", outcome: "completed" };
  const gone = { ...chat, status_code: "499", outcome: "caller_gone" };
  expect(sampleValue(families, name, whole)).toBe(2);
  expect(sampleValue(families, name, gone)).toBe(1);
});

test("durations are in seconds", async () => {
  const metrics = openMetrics();
  metrics.route("small").finished("chat_completions", finished);
  const families = await scrape(metrics);
  const sum = (name: string, labels: Record<string, string>) =>
    sampleValue(families, `${name}_sum`, labels);
  expect(sum("gateway_request_duration_seconds", chat)).toBe(1.5);
  expect(sum("gateway_time_to_first_byte_seconds", chat)).toBe(0.25);
  expect(sum("gateway_queue_wait_seconds", { model: "small" })).toBe(0.02);
  const bucket = (le: string) =>
    sampleValue(families, "gateway_request_duration_seconds_bucket", { ...chat, le });
  expect([bucket("1"), bucket("2.5"), bucket("+Inf")]).toEqual([0, 1, 1]);
});

test("stages that a request never reached are not measured", async () => {
  const metrics = openMetrics();
  const route = metrics.route("small");
  route.finished("chat_completions", { ...finished, ttft_ms: null, queue_ms: null });
  route.finished("chat_completions", { ...finished, ttft_ms: Number.NaN, queue_ms: -0.001 });
  const families = await scrape(metrics);
  const count = (name: string, labels: Record<string, string>) =>
    sampleValue(families, `${name}_count`, labels);
  expect(count("gateway_request_duration_seconds", chat)).toBe(2);
  expect(count("gateway_time_to_first_byte_seconds", chat)).toBeUndefined();
  expect(count("gateway_queue_wait_seconds", { model: "small" })).toBe(1);
});

test("tokens are added up; values that are not counts are ignored", async () => {
  const metrics = openMetrics();
  const route = metrics.route("small");
  route.used({ ...noTokens, prompt_tokens: 100, completion_tokens: 20 }, null);
  route.used({ ...noTokens, prompt_tokens: 5, cached_tokens: 4 }, 1_250_000);
  for (const absurd of [null, -7, Number.NaN, Number.POSITIVE_INFINITY, 0])
    route.used({ ...noTokens, prompt_tokens: absurd, completion_tokens: absurd }, absurd);
  const families = await scrape(metrics);
  expect(sampleValue(families, "gateway_prompt_tokens_total", { model: "small" })).toBe(105);
  expect(sampleValue(families, "gateway_completion_tokens_total", { model: "small" })).toBe(20);
  expect(sampleValue(families, "gateway_cached_tokens_total", { model: "small" })).toBe(4);
  expect(sampleValue(families, "gateway_cost_usd_total", { model: "small" })).toBe(0.001_25);
});

test("synthetic stops are counted", async () => {
  const metrics = openMetrics();
  metrics.route("small").stopped("chat_completions");
  const families = await scrape(metrics);
  expect(sampleValue(families, "gateway_synthetic_stops_total", chat)).toBe(1);
  expect(sampleValue(families, "gateway_requests_finished_total", chat)).toBeUndefined();
});

test("commits, their rows, retries and losses are counted", async () => {
  const metrics = openMetrics();
  const lost = (reason: string) => ["gateway_telemetry_rows_lost_total", { reason }] as const;
  expect(sampleValue(await scrape(metrics), ...lost("shutdown"))).toBe(0);
  metrics.telemetry.committed(3, 4);
  metrics.telemetry.committed(5, 8);
  metrics.telemetry.retried();
  metrics.telemetry.lost(2, "queue_full");
  const families = await scrape(metrics);
  expect(sampleValue(families, "gateway_telemetry_commits_total")).toBe(2);
  expect(sampleValue(families, "gateway_telemetry_rows_written_total")).toBe(8);
  expect(sampleValue(families, "gateway_telemetry_commit_rows_sum")).toBe(8);
  expect(sampleValue(families, "gateway_telemetry_commit_duration_seconds_sum")).toBeCloseTo(0.012);
  expect(sampleValue(families, "gateway_telemetry_retries_total")).toBe(1);
  expect(sampleValue(families, ...lost("queue_full"))).toBe(2);
});
