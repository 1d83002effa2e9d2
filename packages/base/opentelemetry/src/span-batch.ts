import { ProtobufWriter } from "./protobuf-writer.ts";
import type { Attributes } from "./tracer.ts";
import { type EndedSpan, writeAttributes, writeSpan } from "./write-span.ts";

/** What all spans of a tracer have in common. */
export interface SpanOrigin {
  /** Of the resource, such as `service.name`. */
  readonly attributes: Attributes;
  /** Name of the instrumentation scope. */
  readonly scope: string;
}

/** An export takes as long as writing 250 spans, however many it has. */
const mostSpans = 2_048;
/** Spans with contents are long; receivers limit a request, the collector to 20 MiB. */
const mostBytes = 1024 * 1024;
const firstSize = 16 * 1024;

/** Numbers of the fields that lead from an export request to its spans, and of their neighbours. */
const request = { resource_spans: 1 } as const;
const resourceSpans = { resource: 1, scope_spans: 2 } as const;
const scopeSpans = { scope: 1, spans: 2 } as const;
/** The most that the tags and lengths of the two messages around the spans take. */
const headSize = 2 * (1 + 5);

/** What spans of one origin have in common, encoded. */
interface EncodedOrigin {
  readonly resource: Buffer;
  readonly scope: Buffer;
}

export function encodeOrigin({ attributes, scope }: SpanOrigin): EncodedOrigin {
  return {
    resource: message(resourceSpans.resource, (writer) => writeAttributes(writer, 1, attributes)),
    scope: message(scopeSpans.scope, (writer) => writer.string(1, scope)),
  };
}

/**
 * Spans in the form in which they are sent: an OTLP export request. Each is written when it ends. Kept as an object
 * until its batch goes, a span costs the garbage collector as much as it takes to write.
 */
export class SpanBatch {
  readonly #origin: EncodedOrigin;
  readonly #writer: ProtobufWriter;
  readonly #start: number;
  #count = 0;

  constructor(origin: EncodedOrigin) {
    this.#origin = origin;
    this.#start = headSize + origin.resource.length + origin.scope.length;
    this.#writer = new ProtobufWriter(firstSize, this.#start);
  }

  /** The number of spans. */
  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= mostSpans || this.#writer.position >= mostBytes;
  }

  add(span: EndedSpan): void {
    writeSpan(this.#writer, scopeSpans.spans, span);
    this.#count += 1;
  }

  /** Forgets the spans and keeps the memory: fresh memory costs as much as half of the writing. */
  clear(): void {
    this.#writer.rewind(this.#start);
    this.#count = 0;
  }

  /** The whole request, until another span is added. */
  bytes(): Buffer {
    const writer = this.#writer;
    const { resource, scope } = this.#origin;
    let start = this.#start;
    for (const [field, first] of [
      [resourceSpans.scope_spans, scope],
      [request.resource_spans, resource],
    ] as const)
      start = writer.putBefore(start, beginning(field, first, writer.position - start));
    return writer.since(start);
  }
}

function message(field: number, write: (writer: ProtobufWriter) => void): Buffer {
  const writer = new ProtobufWriter(firstSize);
  const opened = writer.open(field);
  write(writer);
  writer.close(opened);
  return writer.since(0);
}

/** How a message begins that has `first` in it, and then what follows. */
function beginning(field: number, first: Buffer, following: number): Buffer {
  const writer = new ProtobufWriter(headSize + first.length);
  writer.head(field, first.length + following);
  writer.encoded(first);
  return writer.since(0);
}
