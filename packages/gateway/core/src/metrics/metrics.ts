import type { ErrorCode, RouteConfig } from "@proj/gateway-protocol";
import { endpoints as allEndpoints, apiOf } from "@proj/model-apis";
import { Registry } from "prom-client";
import { createEventLoopLag } from "./event-loop-lag.ts";
import { createGenAiMetrics, type GenAiCall } from "./gen-ai-metrics.ts";
import { openMetricsText, openMetricsType } from "./open-metrics-text.ts";
import { createProcessMetrics } from "./process-metrics.ts";
import { RecentTraffic } from "./recent-traffic.ts";
import { createRequestMetrics, type RouteMetrics } from "./route-metrics.ts";
import { prometheusType, type ScrapeFormat } from "./scrape-format.ts";
import { createStateMetrics, type StateSources } from "./state-metrics.ts";
import { createTelemetryMetrics, type TelemetryMetrics } from "./telemetry-metrics.ts";

/** Everything the gateway counts and measures, in a registry of its own. */
export interface Metrics {
  readonly telemetry: TelemetryMetrics;
  /** The last hour, for the console. */
  readonly recent: RecentTraffic;
  /** @throws Error if `model` is not a route key: nothing that a caller sent may become a label */
  route(model: string): RouteMetrics;
  /** Adds routes, from a reload; none is ever removed. */
  addRoutes(llm_routes: LabelledRoutes): void;
  /** A request refused before its route was known. */
  refused(reason: ErrorCode): void;
  /** The text for a scraper, with the state as it is now. */
  render(format?: ScrapeFormat): Promise<MetricsPage>;
  /** Counts an ended call by the GenAI semantic conventions. */
  readonly genAi: (call: GenAiCall) => void;
  close(): void;
}

export interface MetricsPage {
  readonly contentType: string;
  readonly body: string;
}

type LabelledRoutes = Readonly<Record<string, Pick<RouteConfig, "endpoints">>>;

/** @param llm_routes their keys and endpoints become labels; what a caller sends never does */
export function createMetrics(llm_routes: LabelledRoutes, sources: StateSources): Metrics {
  const registry = new Registry();
  const requests = createRequestMetrics(registry);
  const routes = new Map<string, RouteMetrics>();
  const addRoutes = (added: LabelledRoutes): void => {
    for (const [model, { endpoints }] of Object.entries(added)) {
      const route = routes.get(model) ?? requests.createRoute(model);
      routes.set(model, route);
      for (const { name } of allEndpoints) if (endpoints.includes(apiOf[name])) route.serve(name);
    }
  };
  addRoutes(llm_routes);
  const telemetry = createTelemetryMetrics(registry);
  const updateState = createStateMetrics(registry, () => routes.keys(), sources);
  const lag = createEventLoopLag(registry);
  const updateProcess = createProcessMetrics(registry);
  return {
    telemetry,
    recent: new RecentTraffic(),
    addRoutes,
    route: (model) => {
      const route = routes.get(model);
      if (route === undefined) throw new Error(`'${model}' is not a route key`);
      return route;
    },
    refused: requests.refused,
    genAi: createGenAiMetrics(registry),
    render: async (format = "prometheus") => {
      updateProcess();
      await updateState();
      lag.update();
      return format === "openmetrics"
        ? { contentType: openMetricsType, body: await openMetricsText(registry) }
        : { contentType: prometheusType, body: await registry.metrics() };
    },
    close: () => {
      lag.close();
      registry.clear();
    },
  };
}
