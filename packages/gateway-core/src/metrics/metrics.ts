import type { ErrorCode } from "@proj/gateway-protocol";
import { Registry } from "prom-client";
import { createEventLoopLag } from "./event-loop-lag.ts";
import { createProcessMetrics } from "./process-metrics.ts";
import { createRequestMetrics, type RouteMetrics } from "./route-metrics.ts";
import { createStateMetrics, type StateSources } from "./state-metrics.ts";
import { createTelemetryMetrics, type TelemetryMetrics } from "./telemetry-metrics.ts";

/** What the gateway counts and measures, in a registry of its own. */
export interface Metrics {
  readonly telemetry: TelemetryMetrics;
  /** @throws Error where `model` is no route key: nothing that a caller sent may become a label */
  route(model: string): RouteMetrics;
  /** A request refused before its route was known. */
  refused(reason: ErrorCode): void;
  /** The text for a scraper; state is read now. */
  render(): Promise<MetricsPage>;
  close(): void;
}

export interface MetricsPage {
  readonly contentType: string;
  readonly body: string;
}

/** @param models the route keys, all that will ever be labels */
export function createMetrics(models: readonly string[], sources: StateSources): Metrics {
  const registry = new Registry();
  const requests = createRequestMetrics(registry);
  const routes = new Map(models.map((model) => [model, requests.createRoute(model)]));
  const telemetry = createTelemetryMetrics(registry);
  const updateState = createStateMetrics(registry, models, sources);
  const lag = createEventLoopLag(registry);
  const updateProcess = createProcessMetrics(registry);
  return {
    telemetry,
    route: (model) => {
      const route = routes.get(model);
      if (route === undefined) throw new Error(`'${model}' is no route key`);
      return route;
    },
    refused: requests.refused,
    render: async () => {
      await updateProcess();
      updateState();
      lag.update();
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
    close: () => {
      lag.close();
      registry.clear();
    },
  };
}
