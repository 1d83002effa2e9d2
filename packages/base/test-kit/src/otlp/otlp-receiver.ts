import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { listen } from "../listen.ts";
import { waitFor } from "../wait-for.ts";
import {
  type AnyValue,
  exportRequest,
  exportResponse,
  type KeyValue,
  type SpanMessage,
} from "./otlp-messages.ts";

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
  /** All attributes of the resource, `service.name` included. */
  readonly resource: Readonly<Record<string, unknown>>;
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
  /** Of each export with status 200, how many spans it says that it rejected. @default 0 */
  rejects: number;
  /** Resolves when that many spans with a matching name have arrived. */
  received(count: number, name?: RegExp): Promise<readonly ReceivedSpan[]>;
}

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
    const partialSuccess = { rejectedSpans: receiver.rejects, errorMessage: "too many" };
    response
      .writeHead(status, { "content-type": "application/x-protobuf" })
      .end(receiver.rejects === 0 ? "" : exportResponse.encode({ partialSuccess }).finish());
  });
  const listening = await listen(server, port);
  const receiver: OtlpReceiver = {
    url: listening.url,
    port: listening.port,
    spans,
    requests,
    status: 200,
    rejects: 0,
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
    const sender = attributesOf(resource?.attributes);
    const service_name = sender["service.name"];
    for (const { spans = [] } of scopeSpans)
      for (const span of spans) yield { ...received(span), service_name, resource: sender };
  }
}

function received(span: SpanMessage): Omit<ReceivedSpan, "service_name" | "resource"> {
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
