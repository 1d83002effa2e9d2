import { type HrTime, SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { exportRequest } from "@proj/test-kit/otlp-messages";
import { expect, test } from "vitest";
import type { Attributes, SpanPlace } from "../src/index.ts";
import { encodeOrigin, SpanBatch } from "../src/span-batch.ts";
import type { EndedSpan } from "../src/write-span.ts";

const decode = (bytes: Uint8Array): object => {
  const { resourceSpans = [] } = exportRequest.toObject(exportRequest.decode(bytes), {
    longs: String,
    bytes: String,
    defaults: true,
  });
  // A message that is left out is not at its default, but the official serializer writes only defaults into this one.
  const status = { message: "", code: 0 };
  return resourceSpans.map(({ scopeSpans = [], ...resource }) => ({
    ...resource,
    scopeSpans: scopeSpans.map(({ spans = [], ...scope }) => ({
      ...scope,
      spans: spans.map((span) => ({ ...span, status: span.status ?? status })),
    })),
  }));
};

const origin = { attributes: { "service.name": "gateway", "host.name": "h" }, scope: "gateway" };

/** One object for all: by it the official serializer tells which spans belong together. */
const scope = { name: origin.scope };

function ours(spans: readonly EndedSpan[]): object {
  const batch = new SpanBatch(encodeOrigin(origin));
  for (const span of spans) batch.add(span);
  expect(batch.count).toBe(spans.length);
  expect(batch.bytes()).toEqual(batch.bytes());
  return decode(batch.bytes());
}

const official = (spans: readonly EndedSpan[]): object => {
  const resource = resourceFromAttributes(origin.attributes);
  const bytes = ProtobufTraceSerializer.serializeRequest(
    spans.map((span) => readable(span, resource)),
  );
  return decode(bytes ?? new Uint8Array());
};

const contextOf = ({ trace_id, span_id }: SpanPlace) => ({
  traceId: trace_id,
  spanId: span_id,
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
});

const hrTime = (milliseconds: number): HrTime => {
  const whole = Math.floor(milliseconds);
  return [
    Math.floor(whole / 1_000),
    (whole % 1_000) * 1e6 + Math.round((milliseconds - whole) * 1e6),
  ];
};

function readable(
  { place, start, end }: EndedSpan,
  resource: ReadableSpan["resource"],
): ReadableSpan {
  const known = Object.entries(end.attributes).filter(([, value]) => value !== undefined);
  const error = end.error === null ? {} : { "error.type": end.error };
  return {
    name: start.name,
    kind: start.kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL,
    spanContext: () => contextOf(place),
    ...(start.parent === null ? {} : { parentSpanContext: contextOf(start.parent) }),
    startTime: hrTime(start.started_at),
    endTime: hrTime(Math.max(start.started_at, end.ended_at)),
    duration: [0, 0],
    status: { code: end.error === null ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
    attributes: { ...Object.fromEntries(known), ...error } as ReadableSpan["attributes"],
    links: (start.links ?? []).map((link) => ({ context: contextOf(link) })),
    events: [],
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

const place: SpanPlace = { trace_id: "0123456789abcdef".repeat(2), span_id: "fedcba9876543210" };

const spanWith = (attributes: Attributes, more: Partial<EndedSpan["end"]> = {}): EndedSpan => ({
  place,
  start: { name: "chat m", kind: "client", parent: null, started_at: 1_764_000_000_123.456 },
  end: { attributes, error: null, ended_at: 1_764_000_001_000, ...more },
});

test.each<[what: string, span: EndedSpan]>([
  ["nothing that is optional", spanWith({})],
  ["an error", spanWith({ a: "b" }, { error: "timeout" })],
  ["an end before its start", spanWith({}, { ended_at: 5 })],
  [
    "a parent and links",
    {
      ...spanWith({}),
      start: { name: "", parent: place, links: [place, place], started_at: 0 },
    },
  ],
  [
    "texts at the bounds of a length's bytes",
    spanWith(
      Object.fromEntries(
        [0, 1, 121, 122, 127, 128, 129, 16_383, 16_384, 70_000].map((length) => [
          `text of ${length}`,
          "x".repeat(length),
        ]),
      ),
    ),
  ],
  [
    "texts that are not ASCII",
    spanWith({
      clé: "é".repeat(70),
      emoji: "a😀".repeat(40),
      late: `${"x".repeat(120)}é`,
      alone: "\ud800 and \udc00",
    }),
  ],
  [
    "numbers of all sizes",
    spanWith(
      Object.fromEntries(
        [
          0,
          -0,
          1,
          127,
          128,
          16_384,
          2 ** 31,
          2 ** 32 + 5,
          2 ** 53 - 1,
          2 ** 53 + 2,
          2 ** 62,
          2 ** 63,
          -1,
          -128,
          -(2 ** 31),
          -(2 ** 53),
          -(2 ** 63),
          0.5,
          -1e-9,
          1e300,
          Number.NaN,
          Number.POSITIVE_INFINITY,
        ].map((value, index) => [`n${index}`, value]),
      ),
    ),
  ],
  [
    "the other kinds of values",
    spanWith({ yes: true, no: false, none: undefined, list: ["a", "", "é"], empty: [] }),
  ],
])("a span with %s is what OpenTelemetry's own serializer makes of it", (_what, span) => {
  expect(ours([span])).toEqual(official([span]));
});

test("so are batches of spans of every length", () => {
  const spans = Array.from({ length: 700 }, (_, index) => ({
    ...spanWith({ index, text: "t".repeat(index) }),
    start: { ...spanWith({}).start, started_at: 1_764_000_000_000 + index * 7.013 },
  }));
  for (const count of [1, 2, 150, 700])
    expect(ours(spans.slice(0, count)), `${count}`).toEqual(official(spans.slice(0, count)));
});

test("a batch that is filled again holds nothing of what was in it", () => {
  const batch = new SpanBatch(encodeOrigin(origin));
  for (let index = 0; index < 300; index += 1) batch.add(spanWith({ index, text: "first" }));
  batch.bytes();
  batch.clear();
  expect(batch.count).toBe(0);
  const again = spanWith({ text: "second" });
  batch.add(again);
  expect(decode(batch.bytes())).toEqual(official([again]));
});
