import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { openMetrics, scrape } from "./open-metrics.ts";
import { sampleValue } from "./prometheus-text.ts";

test("state is read at the time of the scrape", async () => {
  let inFlight = 3;
  let lost = 0;
  const metrics = openMetrics({
    routeLoads: () => [
      { model: "small", inFlight, waiting: 7 },
      { model: "large", inFlight: 0, waiting: 0 },
    ],
    telemetryQueue: () => ({ rows: 4, bytes: 4_096 }),
    sessions: () => ({ active: 5, closing: 2, closed: 1 }),
    bufferedBytes: () => 1_000,
    requestLogLinesLost: () => lost,
  });
  const first = await scrape(metrics);
  expect(sampleValue(first, "gateway_requests_in_flight", { model: "small" })).toBe(3);
  expect(sampleValue(first, "gateway_requests_waiting", { model: "small" })).toBe(7);
  expect(sampleValue(first, "gateway_requests_in_flight", { model: "large" })).toBe(0);
  expect(sampleValue(first, "gateway_telemetry_queue_rows")).toBe(4);
  expect(sampleValue(first, "gateway_telemetry_queue_bytes")).toBe(4_096);
  expect(sampleValue(first, "gateway_sessions_active")).toBe(5);
  expect(sampleValue(first, "gateway_sessions_closing")).toBe(2);
  expect(sampleValue(first, "gateway_sessions_closed")).toBe(1);
  expect(sampleValue(first, "gateway_buffered_bytes")).toBe(1_000);
  expect(sampleValue(first, "gateway_request_log_lines_lost_total")).toBe(0);

  inFlight = 0;
  lost = 9;
  await scrape(metrics);
  const later = await scrape(metrics);
  expect(sampleValue(later, "gateway_requests_in_flight", { model: "small" })).toBe(0);
  expect(sampleValue(later, "gateway_request_log_lines_lost_total")).toBe(9);
});

test("nothing is read before a scrape", async () => {
  let reads = 0;
  const metrics = openMetrics({
    sessions: () => {
      reads += 1;
      return { active: 0, closing: 0, closed: 0 };
    },
  });
  metrics.route("small").admitted("responses");
  expect(reads).toBe(0);
  await metrics.render();
  expect(reads).toBe(1);
});

test("a blocked event loop shows in the lag since the last scrape", async () => {
  const metrics = openMetrics();
  const longest = async () =>
    sampleValue(await scrape(metrics), "gateway_event_loop_lag_max_seconds") ?? Number.NaN;
  // Timers run in the order in which they are due: the monitor's, every 20 ms, before this one.
  await setTimeout(50);
  const until = performance.now() + 200;
  while (performance.now() < until);
  await setTimeout(20);
  expect(await longest()).toBeGreaterThan(0.1);
  expect(await longest()).toBe(0);
});

test("process metrics have their usual names", async () => {
  const metrics = openMetrics();
  const families = await scrape(metrics);
  const value = (name: string) => sampleValue(families, name) ?? Number.NaN;
  expect(value("process_cpu_seconds_total")).toBeGreaterThan(0);
  expect(value("process_resident_memory_bytes")).toBeGreaterThan(
    value("nodejs_heap_size_used_bytes"),
  );
  expect(value("nodejs_heap_size_used_bytes")).toBeGreaterThan(1_000_000);
  const start = value("process_start_time_seconds");
  expect(start).toBeGreaterThan(1_600_000_000);
  const cpu = value("process_cpu_seconds_total");
  expect(sampleValue(await scrape(metrics), "process_cpu_seconds_total")).toBeGreaterThanOrEqual(
    cpu,
  );
});

test.skipIf(process.platform !== "linux")("open files are counted", async () => {
  const families = await scrape(openMetrics());
  expect(sampleValue(families, "process_open_fds")).toBeGreaterThan(2);
});
