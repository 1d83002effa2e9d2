import { expect, test } from "vitest";
import { MetricsMerger } from "../../src/front/merge-metrics.ts";

const page = (calls: number, open: number, lag: number): string => `# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{model="a b",code="200"} ${calls}

# HELP open Open.
# TYPE open gauge
open ${open}

# HELP nodejs_eventloop_lag_p99_seconds Lag.
# TYPE nodejs_eventloop_lag_p99_seconds gauge
nodejs_eventloop_lag_p99_seconds ${lag}
`;

test("counters and gauges are summed, a lag is the maximum", () => {
  const merger = new MetricsMerger();
  merger.read(1, page(3, 1, 0.5));
  merger.read(2, page(4, 2, 0.2));
  const text = merger.render({});
  expect(text).toContain('calls_total{model="a b",code="200"} 7');
  expect(text).toContain("\nopen 3\n");
  expect(text).toContain("nodejs_eventloop_lag_p99_seconds 0.5");
  expect(text.match(/# TYPE calls_total counter/g)).toHaveLength(1);
});

test("a dead worker's counts are kept, and its gauges dropped", () => {
  const merger = new MetricsMerger();
  merger.read(1, page(3, 1, 0));
  merger.read(2, page(4, 2, 0));
  merger.died(1);
  merger.read(1, page(1, 1, 0));
  merger.died(1);
  expect(merger.render({})).toContain('calls_total{model="a b",code="200"} 8');
  expect(merger.render({})).toContain("\nopen 2\n");
  expect(merger.render({ open: 9 })).toContain("\nopen 9\n");
});
