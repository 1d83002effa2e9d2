import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { type EndedSpan, readableSpan, type SpanOrigin } from "./readable-span.ts";
import type { SpanCounts, SpanLoss } from "./tracer.ts";

export interface SpanQueueOptions {
  /** The same for every span. */
  readonly origin: SpanOrigin;
  /** The most spans that may wait, including those being sent. */
  readonly maxSpans: number;
  /** Told once when the receiver fails, and once when it is back. */
  readonly onFailing: (error: Error) => void;
  readonly onRecovered: () => void;
}

const largestBatch = 512;
const gatherMs = 1_000;
const firstRetryMs = 500;
const longestRetryMs = 10_000;
const closeTimeoutMs = 3_000;

/**
 * Sends ended spans in batches, one batch at a time. A batch that the receiver cannot take now is kept and sent
 * again; beyond the bound the newest spans are lost. The SDK's own processor forgets a batch that failed.
 */
export class SpanQueue {
  readonly #exporter: SpanExporter;
  readonly #options: SpanQueueOptions;
  readonly #spans: EndedSpan[] = [];
  readonly #lost: Record<SpanLoss, number> = { queue_full: 0, refused: 0, shutdown: 0 };
  #exported = 0;
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> | null = null;
  #failures = 0;
  #isClosed = false;

  constructor(exporter: SpanExporter, options: SpanQueueOptions) {
    this.#exporter = exporter;
    this.#options = options;
  }

  get counts(): SpanCounts {
    return { queued: this.#spans.length, exported: this.#exported, lost: { ...this.#lost } };
  }

  add(span: EndedSpan): void {
    if (this.#isClosed) this.#lost.shutdown += 1;
    else if (this.#spans.length >= this.#options.maxSpans) this.#lost.queue_full += 1;
    else {
      this.#spans.push(span);
      if (this.#failures === 0 && this.#spans.length >= largestBatch) this.#send();
      else this.#sendIn(gatherMs);
    }
  }

  /** Sends what is queued, until the time is up; the rest is lost. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeTimeoutMs);
    // The exporter waits for the export in progress, which may take its whole time-out.
    const ended = this.#flush().then(() => this.#exporter.shutdown());
    await Promise.race([ended.catch(() => {}), over]);
    clearTimeout(timer);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#lost.shutdown += this.#spans.length;
    this.#spans.length = 0;
  }

  /** Resolves when the queue is empty, or the receiver fails. */
  async #flush(): Promise<void> {
    do {
      this.#send();
      await this.#sending;
    } while (this.#spans.length > 0 && this.#failures === 0);
  }

  #sendIn(milliseconds: number): void {
    if (this.#timer !== null || this.#sending !== null) return;
    this.#timer = setTimeout(() => this.#send(), milliseconds);
    // A process that ends closes its tracer.
    this.#timer.unref();
  }

  #send(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#sending !== null || this.#spans.length === 0) return;
    this.#sending = this.#sendBatch().finally(() => {
      this.#sending = null;
      if (this.#spans.length === 0 || this.#isClosed) return;
      if (this.#failures > 0)
        this.#sendIn(Math.min(firstRetryMs * 2 ** (this.#failures - 1), longestRetryMs));
      else if (this.#spans.length >= largestBatch) this.#send();
      else this.#sendIn(gatherMs);
    });
  }

  async #sendBatch(): Promise<void> {
    const batch = this.#spans.slice(0, largestBatch);
    const { code, error = new Error("the receiver failed") } = await this.#export(batch);
    // `close` has already counted a batch that was still being sent as lost.
    if (this.#spans[0] !== batch[0]) return;
    if (code === ExportResultCode.SUCCESS) {
      this.#spans.splice(0, batch.length);
      this.#exported += batch.length;
      if (this.#failures > 0) this.#options.onRecovered();
      this.#failures = 0;
      return;
    }
    if (this.#failures === 0) this.#options.onFailing(error);
    this.#failures += 1;
    if (!isRefusal(error)) return;
    // Sent again, it would be refused again.
    this.#spans.splice(0, batch.length);
    this.#lost.refused += batch.length;
  }

  #export(batch: readonly EndedSpan[]): Promise<ExportResult> {
    const spans = batch.map((span) => readableSpan(span, this.#options.origin));
    return new Promise((resolve) => this.#exporter.export(spans, resolve));
  }
}

/** Whether the receiver answered that it will never take these spans, by its HTTP status. */
function isRefusal(error: Error): boolean {
  const status = "code" in error && typeof error.code === "number" ? error.code : 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
