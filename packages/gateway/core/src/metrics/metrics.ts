import type { ErrorCode } from "@proj/gateway-protocol";
import { Registry } from "prom-client";
import type { RouteMetrics } from "../call/route.ts";
import { createEventLoopLag } from "./event-loop-lag.ts";
import { createGenAiMetrics, type GenAiCall } from "./gen-ai-metrics.ts";
import { openMetricsText, openMetricsType } from "./open-metrics-text.ts";
import { exposeProcess } from "./process-metrics.ts";
import { createRequestMetrics } from "./route-metrics.ts";
import { prometheusType, type ScrapeFormat } from "./scrape-format.ts";
import { createStateMetrics, type StateSources } from "./state-metrics.ts";
import { createTelemetryMetrics, type TelemetryMetrics } from "./telemetry-metrics.ts";

/** Everything the gateway counts and measures, in a registry of its own. */
export interface Metrics {
  readonly telemetry: TelemetryMetrics;
  /** The counters of a new route. @param model its key, which becomes a label: nothing that a caller sent may */
  openRoute(model: string): RouteMetrics;
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

export function createMetrics(sources: StateSources): Metrics {
  const registry = new Registry();
  const requests = createRequestMetrics(registry);
  const telemetry = createTelemetryMetrics(registry);
  const updateState = createStateMetrics(registry, sources);
  const lag = createEventLoopLag(registry);
  exposeProcess(registry);
  return {
    telemetry,
    openRoute: requests.createRoute,
    refused: requests.refused,
    genAi: createGenAiMetrics(registry),
    render: async (format = "prometheus") => {
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
