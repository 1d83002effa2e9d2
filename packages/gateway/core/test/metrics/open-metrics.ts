import { apiOf, endpoints } from "@proj/model-apis";
import { onTestFinished } from "vitest";
import type { RouteMetrics } from "../../src/call/route.ts";
import { createMetrics, type Metrics } from "../../src/metrics/metrics.ts";
import type { StateSources } from "../../src/metrics/state-metrics.ts";
import { type MetricFamily, parsePrometheusText } from "./prometheus-text.ts";

export type TestMetrics = Metrics & { route(model: string): RouteMetrics };

/** Metrics of two routes, `small` and `large`, closed when the test has finished. */
export function openMetrics(
  sources: Partial<StateSources> = {},
  models: readonly string[] = ["small", "large"],
): TestMetrics {
  const metrics = createMetrics({
    routeLoads: () => models.map((model) => ({ model, inFlight: 0, waiting: 0 })),
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
  const routes = new Map(models.map((model) => [model, metrics.openRoute(model)]));
  for (const route of routes.values())
    for (const { name } of endpoints)
      if (["chat_completions", "responses"].includes(apiOf[name])) route.serve(name);
  const route = (model: string): RouteMetrics => {
    const found = routes.get(model);
    if (found === undefined) throw new Error(`${model} was not opened`);
    return found;
  };
  return { ...metrics, route };
}

export async function scrape(metrics: Metrics): Promise<Map<string, MetricFamily>> {
  return parsePrometheusText((await metrics.render()).body);
}
