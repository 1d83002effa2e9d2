import { onTestFinished } from "vitest";
import { createMetrics, type Metrics } from "../../src/metrics/metrics.ts";
import type { StateSources } from "../../src/metrics/state-metrics.ts";
import { type MetricFamily, parsePrometheusText } from "./prometheus-text.ts";

/** Metrics of two routes, `small` and `large`, closed when the test has finished. */
export function openMetrics(
  sources: Partial<StateSources> = {},
  models: readonly string[] = ["small", "large"],
): Metrics {
  const endpoints = ["chat_completions", "responses"] as const;
  const metrics = createMetrics(Object.fromEntries(models.map((model) => [model, { endpoints }])), {
    routeLoad: () => ({ inFlight: 0, waiting: 0 }),
    telemetryQueue: () => ({ rows: 0, bytes: 0 }),
    sessions: () => ({ active: 0, closing: 0, closed: 0 }),
    bufferedBytes: () => 0,
    connections: () => ({ open: 0, accepted: 0, dropped: 0 }),
    requestLogLinesLost: () => 0,
    storage: async () => null,
    spans: () => null,
    ...sources,
  });
  onTestFinished(() => metrics.close());
  return metrics;
}

export async function scrape(metrics: Metrics): Promise<Map<string, MetricFamily>> {
  return parsePrometheusText((await metrics.render()).body);
}
