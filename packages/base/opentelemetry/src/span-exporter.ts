import { setTimeout as sleep } from "node:timers/promises";
import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from "@opentelemetry/otlp-exporter-base/node-http";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";

export interface ExporterOptions {
  /** Base URL of the receiver; null: as the standard's variables name it. */
  readonly endpoint: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Told once when the receiver fails, and once when it is back. */
  readonly onFailing: (error: Error) => void;
  readonly onRecovered: () => void;
  /** Told what became of spans. @param refused how many of them the receiver refused */
  readonly onSent: (spans: number, refused: number) => void;
}

const minRetryMs = 500;
const maxRetryMs = 10_000;
/** Of the texts in one request: spans with contents are long, and the collector takes at most 20 MiB. */
const maxCharacters = 1024 * 1024;

/**
 * OpenTelemetry's own exporter, with its variables, certificates, compression and repetitions, one request at a time.
 * Spans that the receiver cannot take now are kept and sent again until it takes or refuses them; the exporter alone
 * would forget them.
 */
export class PatientExporter implements SpanExporter {
  readonly #options: ExporterOptions;
  readonly #delegate: ReturnType<typeof openDelegate>;
  readonly #closing = new AbortController();
  #rejected = 0;
  #failures = 0;
  #hasGivenUp = false;
  #last: Promise<void> = Promise.resolve();

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#delegate = openDelegate(options, (rejected) => {
      this.#rejected = rejected;
    });
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#last = this.#last.then(async () => {
      for (const part of partsOf(spans)) await this.#sendUntilTaken(part);
      done({ code: ExportResultCode.SUCCESS });
    });
  }

  /** Gives up as soon as the receiver fails: until then, an attempt that is under way holds the process. */
  hurry(): void {
    this.#closing.abort();
  }

  async shutdown(): Promise<void> {
    this.hurry();
    await this.#last;
    await this.#delegate.shutdown();
  }

  async #sendUntilTaken(spans: ReadableSpan[]): Promise<void> {
    const { signal } = this.#closing;
    const { onSent, onFailing, onRecovered } = this.#options;
    while (!this.#hasGivenUp) {
      this.#rejected = 0;
      const { code, error = new Error("the receiver failed") } = await new Promise<ExportResult>(
        (resolve) => this.#delegate.export(spans, resolve),
      );
      if (code === ExportResultCode.SUCCESS) {
        onSent(spans.length, this.#rejected);
        if (this.#failures > 0) onRecovered();
        this.#failures = 0;
        return;
      }
      if (this.#failures === 0) onFailing(error);
      this.#failures += 1;
      // Sent again, they would be refused again.
      if (isRefusal(error)) return onSent(spans.length, spans.length);
      this.#hasGivenUp = signal.aborted;
      const delayMs = Math.min(minRetryMs * 2 ** (this.#failures - 1), maxRetryMs);
      await sleep(delayMs, null, { ref: false, signal }).catch(() => {});
    }
  }
}

function openDelegate(
  { endpoint, headers, timeoutMs }: ExporterOptions,
  onRejected: (spans: number) => void,
) {
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
  const serializer: typeof ProtobufTraceSerializer = {
    ...ProtobufTraceSerializer,
    deserializeResponse(bytes) {
      const response = ProtobufTraceSerializer.deserializeResponse(bytes);
      onRejected(Number(response.partialSuccess?.rejectedSpans ?? 0));
      return response;
    },
  };
  const counted = { name: "span" as const, countItems: (spans: ReadableSpan[]) => spans.length };
  return createOtlpHttpExportDelegate(
    options,
    serializer,
    "otlp_http_span_exporter",
    counted,
    undefined,
  );
}

function* partsOf(spans: readonly ReadableSpan[]): Generator<ReadableSpan[]> {
  let part: ReadableSpan[] = [];
  let characters = 0;
  for (const span of spans) {
    part.push(span);
    for (const value of Object.values(span.attributes))
      if (typeof value === "string") characters += value.length;
    if (characters < maxCharacters) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}

/** Whether the receiver answered that it will never take these spans, by its HTTP status. */
function isRefusal(error: Error): boolean {
  const status = "code" in error && typeof error.code === "number" ? error.code : 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
