import type { SpanCounts } from "@proj/opentelemetry";
import { Gauge, type Registry } from "prom-client";
import { createCounter } from "./series.ts";

/** Metrics of spans on their way to a receiver; the returned function updates them. */
export function createSpanMetrics(registry: Registry): (counts: SpanCounts) => void {
  const queued = new Gauge({
    name: "gateway_spans_queued",
    help: "Spans that wait to be sent to the receiver.",
    registers: [registry],
  });
  const exported = createCounter(registry, {
    name: "gateway_spans_exported_total",
    help: "Spans that the receiver has accepted.",
  })({});
  const lost = createCounter(registry, {
    name: "gateway_spans_lost_total",
    help: "Spans that will never be sent.",
  });
  const byReason = {
    queue_full: lost({ reason: "queue_full" }),
    refused: lost({ reason: "refused" }),
    shutdown: lost({ reason: "shutdown" }),
  };
  return (counts) => {
    queued.set(counts.queued);
    exported.value = counts.exported;
    byReason.queue_full.value = counts.lost.queue_full;
    byReason.refused.value = counts.lost.refused;
    byReason.shutdown.value = counts.lost.shutdown;
  };
}
