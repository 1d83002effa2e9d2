import type { ExportResult } from "@opentelemetry/core";
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from "@opentelemetry/otlp-exporter-base/node-http";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { SpanBatch } from "./span-batch.ts";

export interface ExporterOptions {
  /** Base URL of the receiver; null: as the standard's variables name it. */
  readonly endpoint: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface Exported extends ExportResult {
  /** Spans that the receiver took the batch without. */
  readonly rejected: number;
}

export interface SpanExporter {
  /** Never rejects. One batch at a time. */
  send(batch: SpanBatch): Promise<Exported>;
  /** Waits for the batch that is being sent. */
  close(): Promise<void>;
}

/**
 * The official SDK's exporter over HTTP, with its variables, certificates, compression and repetitions; only the
 * encoding is ours.
 */
export function openExporter({ endpoint, headers, timeoutMs }: ExporterOptions): SpanExporter {
  let rejected = 0;
  const options = convertLegacyHttpOptions(
    {
      ...(endpoint === null ? {} : { url: `${endpoint.replace(/(?<!\/)\/+$/, "")}/v1/traces` }),
      headers: { ...headers },
      timeoutMillis: timeoutMs,
    },
    "TRACES",
    "v1/traces",
    { "Content-Type": "application/x-protobuf" },
  );
  const serializer = {
    serializeRequest: (batch: SpanBatch) => batch.bytes(),
    deserializeResponse(bytes: Uint8Array) {
      const response = ProtobufTraceSerializer.deserializeResponse(bytes);
      rejected = Number(response.partialSuccess?.rejectedSpans ?? 0);
      return response;
    },
  };
  const delegate = createOtlpHttpExportDelegate(
    options,
    serializer,
    "otlp_http_span_exporter",
    {
      name: "span",
      countItems: (batch: SpanBatch) => batch.count,
    },
    undefined,
  );
  return {
    send(batch) {
      rejected = 0;
      return new Promise((resolve) =>
        delegate.export(batch, (result) => resolve({ ...result, rejected })),
      );
    },
    close: () => delegate.shutdown(),
  };
}
