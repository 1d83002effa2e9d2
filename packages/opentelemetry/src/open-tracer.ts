import {
  type HrTime,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, TracerProvider } from "@opentelemetry/sdk-trace";
import { FixedIds } from "./fixed-ids.ts";
import { SpanQueue } from "./span-queue.ts";
import { traceparentOf } from "./trace-context.ts";
import type { OpenSpan, SpanPlace, SpanStart, Tracer } from "./tracer.ts";

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
  /** Spans waiting to be sent at most. */
  readonly queue_max_spans: number;
  /** Of one export, in milliseconds. @default 10000 */
  readonly timeoutMs?: number;
  /** Told once when the receiver fails, and once when it is back. */
  readonly onFailing: (error: Error) => void;
  readonly onRecovered: () => void;
}

const exportTimeoutMs = 10_000;

/** Spans of the official SDK, sent as OTLP in protobuf over HTTP. */
export function openTracer(options: TracerOptions): Tracer {
  const { endpoint, headers, queue_max_spans, onFailing, onRecovered } = options;
  const exporter = new OTLPTraceExporter({
    ...(endpoint === null ? {} : { url: `${endpoint.replace(/(?<!\/)\/+$/, "")}/v1/traces` }),
    headers: { ...headers },
    timeoutMillis: options.timeoutMs ?? exportTimeoutMs,
  });
  const queue = new SpanQueue(exporter, { maxSpans: queue_max_spans, onFailing, onRecovered });
  const ids = new FixedIds();
  const provider = new TracerProvider({
    // A caller that does not sample its own spans does not hide what it used.
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [queue],
    resource: resourceFromAttributes({
      "service.name": process.env.OTEL_SERVICE_NAME || options.service_name,
    }),
  });
  const tracer = provider.getTracer(options.service_name);
  return {
    begin: (start) =>
      openSpan(
        ids.with(start.place ?? null, () =>
          tracer.startSpan(
            start.name,
            {
              kind: start.kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL,
              startTime: hrTime(start.started_at),
              links: (start.links ?? []).map(linkTo),
              root: start.parent === null,
            },
            contextOf(start),
          ),
        ),
      ),
    get counts() {
      return queue.counts;
    },
    close: () => provider.shutdown(),
  };
}

const contextOf = ({ parent }: SpanStart) =>
  parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContext(parent));

const spanContext = ({ trace_id, span_id }: SpanPlace) => ({
  traceId: trace_id,
  spanId: span_id,
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
});

/** Seconds and nanoseconds: the SDK takes a small number of milliseconds for one since the process began. */
const hrTime = (milliseconds: number): HrTime => [
  Math.trunc(milliseconds / 1_000),
  Math.round((milliseconds % 1_000) * 1e6),
];

const linkTo = (place: SpanPlace): Link => ({ context: spanContext(place) });

function openSpan(span: Span): OpenSpan {
  const { traceId: trace_id, spanId: span_id } = span.spanContext();
  return {
    trace_id,
    span_id,
    traceparent: traceparentOf({ trace_id, span_id }),
    end: ({ attributes, error, ended_at }) => {
      for (const [name, value] of Object.entries(attributes))
        if (value !== undefined)
          span.setAttribute(name, Array.isArray(value) ? [...value] : (value as string));
      if (error !== null) {
        span.setAttribute("error.type", error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end(hrTime(ended_at));
    },
  };
}
