import {
  detectResources,
  resourceAttributesEnvDetector,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import { newSpanId, newTraceId } from "./new-ids.ts";
import { openExporter } from "./span-exporter.ts";
import { SpanQueue } from "./span-queue.ts";
import { traceparentOf } from "./trace-context.ts";
import type { Attributes, OpenSpan, SpanEnd, SpanStart, Tracer } from "./tracer.ts";

export interface TracerOptions {
  /**
   * Base URL of an OTLP/HTTP receiver; `/v1/traces` is added. @default OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
   * OTEL_EXPORTER_OTLP_ENDPOINT, or http://localhost:4318
   */
  readonly endpoint: string | null;
  /** Sent with every export, on top of OTEL_EXPORTER_OTLP_HEADERS. */
  readonly headers: Readonly<Record<string, string>>;
  /** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win over it. */
  readonly service_name: string;
  /** The most spans that may wait to be sent. */
  readonly queue_max_spans: number;
  /** Of one export, in milliseconds. @default 10000 */
  readonly timeoutMs?: number;
  /** Told once when the receiver fails, and once when it is back. */
  readonly onFailing: (error: Error) => void;
  readonly onRecovered: () => void;
}

const exportTimeoutMs = 10_000;

/** Sends spans as OTLP in protobuf over HTTP. */
export function openTracer(options: TracerOptions): Tracer {
  const { endpoint, headers, service_name, queue_max_spans, onFailing, onRecovered } = options;
  const { timeoutMs = exportTimeoutMs } = options;
  const queue = new SpanQueue(openExporter({ endpoint, headers, timeoutMs }), {
    origin: { attributes: resourceAttributes(service_name), scope: service_name },
    maxSpans: queue_max_spans,
    onFailing,
    onRecovered,
  });
  return {
    begin: (start) => new BegunSpan(start, queue),
    get counts() {
      return queue.counts;
    },
    close: () => queue.close(),
  };
}

function resourceAttributes(service_name: string): Attributes {
  const { attributes } = detectResources({
    detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector],
  });
  return { "service.name": service_name, ...(attributes as Attributes) };
}

class BegunSpan implements OpenSpan {
  readonly trace_id: string;
  readonly span_id: string;
  readonly #start: SpanStart;
  readonly #queue: SpanQueue;

  constructor(start: SpanStart, queue: SpanQueue) {
    const { place, parent } = start;
    this.trace_id = place?.trace_id ?? parent?.trace_id ?? newTraceId();
    this.span_id = place?.span_id ?? newSpanId();
    this.#start = start;
    this.#queue = queue;
  }

  get traceparent(): string {
    return traceparentOf(this);
  }

  end(end: SpanEnd): void {
    this.#queue.add({ place: this, start: this.#start, end });
  }
}
