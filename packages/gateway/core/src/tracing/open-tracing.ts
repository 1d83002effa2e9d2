import type { OpenTelemetryConfig } from "@proj/gateway-protocol";
import type { ServiceLog } from "../service-log/service-log.ts";
import { CallTracing } from "./call-tracing.ts";

/** Null if calls are not traced; OpenTelemetry's SDK is then not even loaded. */
export async function openTracing(
  config: OpenTelemetryConfig,
  log: ServiceLog,
): Promise<CallTracing | null> {
  if (!config.enabled) return null;
  const { openTracer } = await import("@proj/opentelemetry/tracer");
  const { endpoint, headers, queue_max_spans, capture_content } = config;
  const tracer = openTracer({
    endpoint,
    headers,
    queue_max_spans,
    service_name: "gateway",
    // The error's message may contain the receiver's answer, but nothing that was sent.
    onFailing: (err) => log.error({ err }, "traces cannot be sent, and are kept"),
    onRecovered: () => log.info({}, "traces can be sent again"),
  });
  return new CallTracing(tracer, capture_content);
}
