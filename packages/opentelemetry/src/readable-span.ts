import {
  type HrTime,
  type Link,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
} from "@opentelemetry/api";
import type { InstrumentationScope } from "@opentelemetry/core";
import type { Resource } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import type { AttributeValue, SpanEnd, SpanPlace, SpanStart } from "./tracer.ts";

/** A span that has ended and waits to be sent. */
export interface EndedSpan {
  readonly place: SpanPlace;
  readonly start: SpanStart;
  readonly end: SpanEnd;
}

/** What all spans of a tracer have in common. */
export interface SpanOrigin {
  readonly resource: Resource;
  readonly instrumentationScope: InstrumentationScope;
}

type Draft = { -readonly [Key in keyof ReadableSpan]: ReadableSpan[Key] };

/** The span in the form that the SDK's exporters read. */
export function readableSpan({ place, start, end }: EndedSpan, origin: SpanOrigin): ReadableSpan {
  const context = contextOf(place);
  const { name, kind, parent, links, started_at } = start;
  const ended_at = Math.max(end.ended_at, started_at);
  // Every member by its name: an object that others are spread into takes twice as long to make.
  const span: Draft = {
    name,
    kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL,
    spanContext: () => context,
    startTime: hrTime(started_at),
    endTime: hrTime(ended_at),
    duration: hrTime(ended_at - started_at),
    status: { code: end.error === null ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
    attributes: attributesOf(end),
    links: links === undefined ? [] : links.map(linkTo),
    events: [],
    ended: true,
    resource: origin.resource,
    instrumentationScope: origin.instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
  if (parent !== null) span.parentSpanContext = contextOf(parent);
  return span;
}

/** Sampled: a caller that does not sample its own spans does not hide what it used. */
const contextOf = ({ trace_id, span_id }: SpanPlace): SpanContext => ({
  traceId: trace_id,
  spanId: span_id,
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
});

const linkTo = (place: SpanPlace): Link => ({ context: contextOf(place) });

const hrTime = (milliseconds: number): HrTime => [
  Math.trunc(milliseconds / 1_000),
  Math.round((milliseconds % 1_000) * 1e6),
];

function attributesOf({ attributes, error }: SpanEnd): ReadableSpan["attributes"] {
  const known = isKnown(attributes) ? attributes : onlyKnown(attributes);
  return (error === null ? known : { ...known, "error.type": error }) as ReadableSpan["attributes"];
}

type Known = Readonly<Record<string, AttributeValue>>;

function isKnown(attributes: SpanEnd["attributes"]): attributes is Known {
  for (const name in attributes) if (attributes[name] === undefined) return false;
  return true;
}

function onlyKnown(attributes: SpanEnd["attributes"]): Known {
  const known: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) known[name] = value;
  return known;
}
