import { expect, test } from "vitest";
import { MetricsMerger } from "../../src/front/merge-metrics.ts";
import { openMetrics } from "../metrics/open-metrics.ts";

const page = (calls: number, open: number, lag: number): string => `# HELP calls Calls.
# TYPE calls counter
calls_total{model="a b",code="200"} ${calls}
# HELP open Open.
# TYPE open gauge
open ${open}
# HELP gateway_event_loop_lag_p99_seconds Lag.
# TYPE gateway_event_loop_lag_p99_seconds gauge
gateway_event_loop_lag_p99_seconds ${lag}
# EOF
`;

test("counters and gauges are summed, but a lag is the largest", () => {
  const merger = new MetricsMerger();
  merger.read(1, page(3, 1, 0.5));
  merger.read(2, page(4, 2, 0.2));
  const text = merger.render({}, "prometheus");
  expect(text).toContain('calls_total{model="a b",code="200"} 7');
  expect(text).toContain("\nopen 3\n");
  expect(text).toContain("gateway_event_loop_lag_p99_seconds 0.5");
  expect(text.match(/# TYPE calls_total counter/g)).toHaveLength(1);
});

test("the lags, limits and start times that gateways expose are not summed", async () => {
  const { body } = await openMetrics().render("openmetrics");
  const merger = new MetricsMerger();
  for (const worker of [1, 2]) merger.read(worker, body);
  const notSummed = (text: string): string[] =>
    text
      .split("\n")
      .filter((line) => /^(?:gateway_event_loop_lag_|process_(?:max_fds|start_time))/.test(line));
  expect(notSummed(body).length).toBeGreaterThanOrEqual(4);
  expect(notSummed(merger.render({}, "openmetrics"))).toEqual(notSummed(body));
});

test("a dead worker's counts are kept, and its gauges dropped", () => {
  const merger = new MetricsMerger();
  merger.read(1, page(3, 1, 0));
  merger.read(2, page(4, 2, 0));
  merger.died(1);
  merger.read(1, page(1, 1, 0));
  merger.died(1);
  expect(merger.render({}, "prometheus")).toContain('calls_total{model="a b",code="200"} 8');
  expect(merger.render({}, "prometheus")).toContain("\nopen 2\n");
  expect(merger.render({ open: 9 }, "prometheus")).toContain("\nopen 9\n");
});

const model = 'model="a } # {b=\\"c\\"} 1"';
const exemplar = (span_id: string, at: number): string => `{span_id="${span_id}"} 0.5 ${at}`;
const durations = (first: string, count: number, last: string): string => `# HELP took_seconds Took.
# TYPE took_seconds histogram
took_seconds_bucket{le="1.0",${model}} ${count}${first}
took_seconds_bucket{le="+Inf",${model}} ${count}${last}
# EOF
`;

test("OpenMetrics has the latest exemplar of each bucket, even a dead worker's", () => {
  const merger = new MetricsMerger();
  merger.read(1, durations(` # ${exemplar("a", 1_000.5)}`, 2, ` # ${exemplar("b", 30)}`));
  merger.read(2, durations(` # ${exemplar("c", 999.75)}`, 3, ""));
  merger.died(1);
  merger.read(1, durations("", 4, ` # ${exemplar("d", 31)}`));
  expect(merger.render({}, "openmetrics")).toBe(
    durations(` # ${exemplar("a", 1_000.5)}`, 9, ` # ${exemplar("d", 31)}`),
  );
  expect(merger.render({}, "prometheus")).toBe(
    durations("", 9, "").replace('le="1.0"', 'le="1"').replace("# EOF", ""),
  );
});

test("the page of one worker is what the worker itself would answer, in both formats", async () => {
  const metrics = openMetrics({}, ['a "quoted"\nback\\slash']);
  metrics.refused("model_not_found");
  metrics.telemetry.committed(3, 12);
  const merger = new MetricsMerger();
  merger.read(1, (await metrics.render("openmetrics")).body);
  for (const format of ["openmetrics", "prometheus"] as const) {
    const { body } = await metrics.render(format);
    const still = (text: string): string[] =>
      text.split("\n").filter((line) => !/^(?:process|nodejs)_/.test(line) && line !== "");
    expect(still(merger.render({}, format))).toEqual(still(body));
  }
});
