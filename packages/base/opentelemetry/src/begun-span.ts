import {
  type HrTime,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
} from "@opentelemetry/api";
import { millisToHrTime } from "@opentelemetry/core";
import { RandomIdGenerator, type ReadableSpan } from "@opentelemetry/sdk-trace";
import { traceparentOf } from "./trace-context.ts";
import type { Attributes, OpenSpan, SpanEnd, SpanPlace, SpanStart } from "./tracer.ts";

const ids = new RandomIdGenerator();
const noEvents: ReadableSpan["events"] = [];
const noTime: HrTime = [0, 0];

/** What all spans of a tracer have in common, and where they go when they end. */
export interface SpanOrigin extends Pick<ReadableSpan, "resource" | "instrumentationScope"> {
  end(span: ReadableSpan): void;
}

export class BegunSpan implements OpenSpan {
  readonly trace_id: string;
  readonly span_id: string;
  readonly #start: SpanStart;
  readonly #origin: SpanOrigin;

  constructor(start: SpanStart, origin: SpanOrigin) {
    const { place, parent } = start;
    this.trace_id = place?.trace_id ?? parent?.trace_id ?? ids.generateTraceId();
    this.span_id = place?.span_id ?? ids.generateSpanId();
    this.#start = start;
    this.#origin = origin;
  }

  get traceparent(): string {
    return traceparentOf(this);
  }

  end({ attributes, error, ended_at }: SpanEnd): void {
    const { name, kind, parent, links = [], started_at } = this.#start;
    const { resource, instrumentationScope } = this.#origin;
    const context = contextOf(this);
    this.#origin.end({
      name,
      kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL,
      spanContext: () => context,
      ...(parent === null ? {} : { parentSpanContext: contextOf(parent) }),
      startTime: millisToHrTime(started_at),
      endTime: millisToHrTime(Math.max(ended_at, started_at)),
      status: { code: error === null ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
      attributes: known(error === null ? attributes : { ...attributes, "error.type": error }),
      links: links.map((link) => ({ context: contextOf(link) })),
      events: noEvents,
      duration: noTime,
      ended: true,
      resource,
      instrumentationScope,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    });
  }
}

/**
 * Sampled: a caller that does not sample its own spans does not hide what it used. Remote: whether a parent is in
 * another process, a tracer cannot tell.
 */
const contextOf = ({ trace_id, span_id }: SpanPlace): SpanContext => ({
  ...{ traceId: trace_id, spanId: span_id },
  ...{ traceFlags: TraceFlags.SAMPLED, isRemote: true },
});

function known(attributes: Attributes): ReadableSpan["attributes"] {
  const all: Record<string, NonNullable<Attributes[string]>> = {};
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) all[name] = value;
  }
  return all as ReadableSpan["attributes"];
}
