import { createServer } from "node:http";
import { createRequire } from "node:module";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { listen } from "../listen.ts";
import { waitFor } from "../wait-for.ts";

/** A span, decoded by the protocol's own messages. */
export interface ReceivedSpan {
  readonly name: string;
  readonly trace_id: string;
  readonly span_id: string;
  /** Null: a root span. */
  readonly parent_id: string | null;
  /** In the protocol's numbers: 1 internal, 3 client. */
  readonly kind: number;
  /** In the protocol's numbers: 0 unset, 2 error. */
  readonly status: number;
  /** Nanoseconds since the epoch. */
  readonly started_at: bigint;
  /** Nanoseconds. */
  readonly duration: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Ids of the spans that it links to. */
  readonly links: readonly string[];
  readonly service_name: unknown;
}

export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** In order of arrival. */
  readonly spans: readonly ReceivedSpan[];
  /** Headers of each export, including failed ones. */
  readonly requests: readonly NodeJS.Dict<string | string[]>[];
  /** The status that it answers from now on. @default 200 */
  status: number;
  /** Resolves when that many spans with a matching name have arrived. */
  received(count: number, name?: RegExp): Promise<readonly ReceivedSpan[]>;
}

interface AnyValue {
  readonly stringValue?: string | null;
  readonly boolValue?: boolean | null;
  readonly intValue?: number | string | null;
  readonly doubleValue?: number | null;
  readonly arrayValue?: { readonly values?: readonly AnyValue[] } | null;
}

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

interface SpanMessage {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind?: number;
  readonly status?: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly KeyValue[];
  readonly links?: readonly { readonly spanId: string }[];
}

interface ExportMessage {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] };
    readonly scopeSpans?: readonly { readonly spans?: readonly SpanMessage[] }[];
  }[];
}

interface MessageType {
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): ExportMessage;
}

/** Generated from the protocol's own files, which come without more exact types. */
const root = createRequire(import.meta.url)(
  "@opentelemetry/otlp-messages/build/src/generated/root.js",
);
const exportRequest: MessageType =
  root.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

/** Receives traces over OTLP/HTTP, in protobuf. @param port 0: any free one */
export async function startOtlpReceiver(port = 0): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer(async (request, response) => {
    const bytes = await buffer(request);
    requests.push(request.headers);
    const isTraces = request.method === "POST" && request.url?.endsWith("/v1/traces") === true;
    const status = isTraces ? receiver.status : 404;
    if (status === 200)
      spans.push(
        ...decode(request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes),
      );
    response.writeHead(status, { "content-type": "application/x-protobuf" }).end();
  });
  const listening = await listen(server, port);
  const receiver: OtlpReceiver = {
    url: listening.url,
    port: listening.port,
    spans,
    requests,
    status: 200,
    received: async (count, name = /^/) => {
      const found = (): ReceivedSpan[] => spans.filter((span) => name.test(span.name));
      await waitFor(() => found().length >= count, `${count} spans like ${name}`);
      return found();
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
  return receiver;
}

function* decode(bytes: Uint8Array): Generator<ReceivedSpan> {
  const message = exportRequest.toObject(exportRequest.decode(bytes), {
    longs: String,
    bytes: Array,
  });
  for (const { resource, scopeSpans = [] } of message.resourceSpans ?? []) {
    const service_name = attributesOf(resource?.attributes)["service.name"];
    for (const { spans = [] } of scopeSpans)
      for (const span of spans) yield { ...received(span), service_name };
  }
}

function received(span: SpanMessage): Omit<ReceivedSpan, "service_name"> {
  const parent = hex(span.parentSpanId);
  return {
    name: span.name,
    trace_id: hex(span.traceId),
    span_id: hex(span.spanId),
    parent_id: parent === "" ? null : parent,
    kind: span.kind ?? 0,
    status: span.status?.code ?? 0,
    started_at: BigInt(span.startTimeUnixNano),
    duration: BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano),
    attributes: attributesOf(span.attributes),
    links: (span.links ?? []).map(({ spanId }) => hex(spanId)),
  };
}

const hex = (bytes: string | undefined): string => Buffer.from(bytes ?? "").toString("hex");

const attributesOf = (attributes: readonly KeyValue[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, read(value)]));

function read(value: AnyValue): unknown {
  if (value.intValue != null) return Number(value.intValue);
  if (value.arrayValue != null) return (value.arrayValue.values ?? []).map(read);
  return value.stringValue ?? value.boolValue ?? value.doubleValue ?? null;
}
