import { ProtobufWriter } from "./protobuf-writer.ts";
import type { AttributeValue, SpanEnd, SpanPlace, SpanStart } from "./tracer.ts";

/** A span that has ended. */
export interface EndedSpan {
  readonly place: SpanPlace;
  readonly start: SpanStart;
  readonly end: SpanEnd;
}

/** Numbers of the fields in `opentelemetry/proto/trace/v1/trace.proto`. */
const span = {
  trace_id: 1,
  span_id: 2,
  parent_span_id: 4,
  name: 5,
  kind: 6,
  start_time_unix_nano: 7,
  end_time_unix_nano: 8,
  attributes: 9,
  links: 13,
  status: 15,
  flags: 16,
} as const;
const link = { trace_id: 1, span_id: 2, flags: 6 } as const;
const statusCode = 3;

const kinds = { internal: 1, client: 3 } as const;
const errorStatus = 2;
/** For the length of a span: nearly all have 128 bytes to 16 KB. */
const usualRoom = 2;

/** Sampled: a caller that does not sample its own spans does not hide what it used. */
const sampled = 0x01;
/** Whether the parent is in another process is known, and it is: which one, a tracer cannot tell. */
const remoteKnown = 0x100;
const remote = 0x200;

/** Writes the span as that field of the message that is open. What is zero is left out, as protobuf has it. */
export function writeSpan(
  writer: ProtobufWriter,
  field: number,
  { place, start, end }: EndedSpan,
): void {
  const { name, kind = "internal", parent, links, started_at } = start;
  const opened = writer.open(field, usualRoom);
  writer.hex(span.trace_id, place.trace_id);
  writer.hex(span.span_id, place.span_id);
  if (parent !== null) writer.hex(span.parent_span_id, parent.span_id);
  writer.string(span.name, name);
  writer.integer(span.kind, kinds[kind]);
  writer.nanoseconds(span.start_time_unix_nano, started_at);
  writer.nanoseconds(span.end_time_unix_nano, Math.max(end.ended_at, started_at));
  writeAttributes(writer, span.attributes, end.attributes);
  if (end.error !== null) writeAttribute(writer, span.attributes, "error.type", end.error);
  if (links !== undefined) for (const to of links) writeLink(writer, to);
  if (end.error !== null) {
    const status = writer.open(span.status);
    writer.integer(statusCode, errorStatus);
    writer.close(status);
  }
  writer.fixed32(span.flags, sampled | remoteKnown | (parent === null ? 0 : remote));
  writer.close(opened, usualRoom);
}

function writeLink(writer: ProtobufWriter, { trace_id, span_id }: SpanPlace): void {
  const opened = writer.open(span.links);
  writer.hex(link.trace_id, trace_id);
  writer.hex(link.span_id, span_id);
  writer.fixed32(link.flags, sampled | remoteKnown | remote);
  writer.close(opened);
}

export function writeAttributes(
  writer: ProtobufWriter,
  field: number,
  attributes: SpanEnd["attributes"],
): void {
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) writeAttribute(writer, field, name, value);
  }
}

/** A `KeyValue` of `opentelemetry/proto/common/v1/common.proto`. */
function writeAttribute(
  writer: ProtobufWriter,
  field: number,
  name: string,
  value: AttributeValue,
): void {
  const key = keyOf(name);
  if (typeof value === "string" && writer.shortText(field, key, 1, value)) return;
  if (Number.isInteger(value) && writer.shortInteger(field, key, 3, value as number)) return;
  const opened = writer.open(field);
  writer.encoded(key);
  const content = writer.open(2);
  writeValue(writer, value);
  writer.close(content);
  writer.close(opened);
}

/** The key of a `KeyValue`, encoded once for each of the few names. */
const keyOf = (() => {
  const keys = new Map<string, Uint8Array>();
  return (name: string): Uint8Array => {
    let key = keys.get(name);
    if (key === undefined) {
      const writer = new ProtobufWriter(64);
      writer.string(1, name);
      key = writer.since(0);
      keys.set(name, key);
    }
    return key;
  };
})();

/** An `AnyValue`, in which a field's number says what kind of value it is. */
function writeValue(writer: ProtobufWriter, value: AttributeValue): void {
  if (typeof value === "string") writer.string(1, value);
  else if (typeof value === "boolean") writer.integer(2, Number(value));
  else if (typeof value !== "number") writeList(writer, value);
  else if (isInt64(value)) writer.integer(3, value);
  else writer.double(4, value);
}

function writeList(writer: ProtobufWriter, values: readonly string[]): void {
  const list = writer.open(5);
  for (const value of values) {
    const item = writer.open(1);
    writer.string(1, value);
    writer.close(item);
  }
  writer.close(list);
}

const isInt64 = (value: number): boolean =>
  Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
