import {
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace";
import { BegunSpan, type SpanOrigin } from "./begun-span.ts";
import { PatientExporter } from "./span-exporter.ts";
import type { SpanLoss, Tracer } from "./tracer.ts";

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
const closeTimeoutMs = 3_000;
/** An export takes as long as writing 250 spans, however many it has. */
const maxBatchSpans = 2_048;
const gatherMs = 1_000;
/** The exporter keeps what the receiver cannot take now. */
const noTimeoutMs = 2 ** 31 - 1;

/** Sends spans as OTLP in protobuf over HTTP. */
export function openTracer(options: TracerOptions): Tracer {
  const { service_name, queue_max_spans, timeoutMs = exportTimeoutMs } = options;
  const lost: Record<SpanLoss, number> = { queue_full: 0, refused: 0, shutdown: 0 };
  let queued = 0;
  let exported = 0;
  let isClosed = false;
  const exporter = new PatientExporter({
    ...{ ...options, timeoutMs },
    onSent(spans, refused) {
      // `close` has already counted spans that were still being sent as lost.
      if (queued === 0) return;
      queued -= spans;
      exported += spans - refused;
      lost.refused += refused;
    },
  });
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: queue_max_spans,
    maxExportBatchSize: Math.min(maxBatchSpans, queue_max_spans),
    scheduledDelayMillis: gatherMs,
    exportTimeoutMillis: noTimeoutMs,
  });
  const origin: SpanOrigin = {
    resource: resourceOf(service_name),
    instrumentationScope: { name: service_name },
    end(span) {
      if (isClosed) lost.shutdown += 1;
      else if (queued >= queue_max_spans) lost.queue_full += 1;
      else {
        queued += 1;
        processor.onEnd(span);
      }
    },
  };
  return {
    begin: (start) => new BegunSpan(start, origin),
    get counts() {
      return { queued, exported, lost: { ...lost } };
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      // The processor shuts the exporter down only once it has taken everything.
      exporter.hurry();
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeTimeoutMs);
      await Promise.race([processor.shutdown().catch(() => {}), over]);
      clearTimeout(timer);
      lost.shutdown += queued;
      queued = 0;
    },
  };
}

function resourceOf(service_name: string): Resource {
  const named = resourceFromAttributes({ "service.name": service_name });
  return named.merge(
    detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
  );
}
