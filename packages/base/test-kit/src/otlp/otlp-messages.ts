import { createRequire } from "node:module";

/** What `toObject` makes of the protocol's messages, as far as tests read them. */
export interface AnyValue {
  readonly stringValue?: string | null;
  readonly boolValue?: boolean | null;
  readonly intValue?: number | string | null;
  readonly doubleValue?: number | null;
  readonly arrayValue?: { readonly values?: readonly AnyValue[] } | null;
}

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

export interface SpanMessage {
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

export interface ExportMessage {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly KeyValue[] };
    readonly scopeSpans?: readonly { readonly spans?: readonly SpanMessage[] }[];
  }[];
}

interface MessageType {
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): ExportMessage;
}

/** Generated from the protocol's own files, which come without more exact types. */
const root = createRequire(import.meta.url)(
  "@opentelemetry/otlp-messages/build/src/generated/root.js",
);
const { ExportTraceServiceRequest, ExportTraceServiceResponse } =
  root.opentelemetry.proto.collector.trace.v1;

/** OTLP's messages over HTTP, by code that protobuf's own compiler made. */
export const exportRequest: MessageType = ExportTraceServiceRequest;
export const exportResponse: MessageType = ExportTraceServiceResponse;
