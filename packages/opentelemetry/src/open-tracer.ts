import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { RandomIdGenerator } from "@opentelemetry/sdk-trace";
import { SpanQueue } from "./span-queue.ts";
import { traceparentOf } from "./trace-context.ts";
import type { OpenSpan, SpanEnd, SpanPlace, SpanStart, Tracer } from "./tracer.ts";

export interface TracerOptions {
  /**
   * Base URL of an OTLP/HTTP receiver; `/v1/traces` is added. @default OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
   * OTEL_EXPORTER_OTLP_ENDPOINT, or http://localhost:4318
   */
  readonly endpoint: string | null;
  /** Sent with every export, on top of OTEL_EXPORTER_OTLP_HEADERS. */
  readonly headers: Readonly<Record<string, string>>;
  /** @default OTEL_SERVICE_NAME wins over it */
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

/**
 * Sends spans as OTLP in protobuf over HTTP, with the official SDK's exporter. The SDK's own spans are made only
 * for the exporter, a batch at a time: making them while a request waits took longer than sending them.
 */
export function openTracer(options: TracerOptions): Tracer {
  const { endpoint, headers, queue_max_spans, onFailing, onRecovered } = options;
  const exporter = new OTLPTraceExporter({
    ...(endpoint === null ? {} : { url: `${endpoint.replace(/(?<!\/)\/+$/, "")}/v1/traces` }),
    headers: { ...headers },
    timeoutMillis: options.timeoutMs ?? exportTimeoutMs,
  });
  const origin = {
    resource: resourceFromAttributes({
      "service.name": process.env.OTEL_SERVICE_NAME || options.service_name,
    }),
    instrumentationScope: { name: options.service_name },
  };
  const queue = new SpanQueue(exporter, {
    ...{ origin, maxSpans: queue_max_spans, onFailing, onRecovered },
  });
  const ids = new RandomIdGenerator();
  const newPlace = ({ parent }: SpanStart): SpanPlace => ({
    trace_id: parent?.trace_id ?? ids.generateTraceId(),
    span_id: ids.generateSpanId(),
  });
  return {
    begin: (start) => new BegunSpan(start, start.place ?? newPlace(start), queue),
    get counts() {
      return queue.counts;
    },
    close: () => queue.close(),
  };
}

class BegunSpan implements OpenSpan {
  readonly trace_id: string;
  readonly span_id: string;
  readonly #start: SpanStart;
  readonly #queue: SpanQueue;

  constructor(start: SpanStart, { trace_id, span_id }: SpanPlace, queue: SpanQueue) {
    this.trace_id = trace_id;
    this.span_id = span_id;
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
