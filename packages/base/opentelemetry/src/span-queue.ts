import { ExportResultCode } from "@opentelemetry/core";
import { encodeOrigin, SpanBatch, type SpanOrigin } from "./span-batch.ts";
import type { SpanExporter } from "./span-exporter.ts";
import type { SpanCounts, SpanLoss } from "./tracer.ts";
import type { EndedSpan } from "./write-span.ts";

export interface SpanQueueOptions {
  /** The same for every span. */
  readonly origin: SpanOrigin;
  /** The most spans that may wait, including those being sent. */
  readonly maxSpans: number;
  /** Told once when the receiver fails, and once when it is back. */
  readonly onFailing: (error: Error) => void;
  readonly onRecovered: () => void;
}

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
  readonly #origin: ReturnType<typeof encodeOrigin>;
  /** In the order in which they go; the last takes the next spans, unless it is full or being sent. */
  readonly #batches: SpanBatch[] = [];
  readonly #lost: Record<SpanLoss, number> = { queue_full: 0, refused: 0, shutdown: 0 };
  /** A batch that was sent and may be filled again. */
  #spare: SpanBatch | null = null;
  #queued = 0;
  #exported = 0;
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> | null = null;
  #failures = 0;
  #isClosed = false;

  constructor(exporter: SpanExporter, options: SpanQueueOptions) {
    this.#exporter = exporter;
    this.#options = options;
    this.#origin = encodeOrigin(options.origin);
  }

  get counts(): SpanCounts {
    return { queued: this.#queued, exported: this.#exported, lost: { ...this.#lost } };
  }

  add(span: EndedSpan): void {
    if (this.#isClosed) this.#lost.shutdown += 1;
    else if (this.#queued >= this.#options.maxSpans) this.#lost.queue_full += 1;
    else {
      const batch = this.#openBatch();
      batch.add(span);
      this.#queued += 1;
      if (this.#failures === 0 && batch.isFull) this.#send();
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
    const ended = this.#flush().then(() => this.#exporter.close());
    await Promise.race([ended.catch(() => {}), over]);
    clearTimeout(timer);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#lost.shutdown += this.#queued;
    this.#queued = 0;
    this.#batches.length = 0;
  }

  #openBatch(): SpanBatch {
    const last = this.#batches.at(-1);
    const isSent = this.#sending !== null && this.#batches.length === 1;
    if (last !== undefined && !last.isFull && !isSent) return last;
    const batch = this.#spare ?? new SpanBatch(this.#origin);
    this.#spare = null;
    this.#batches.push(batch);
    return batch;
  }

  /** Resolves when the queue is empty, or the receiver fails. */
  async #flush(): Promise<void> {
    do {
      this.#send();
      await this.#sending;
    } while (this.#batches.length > 0 && this.#failures === 0);
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
    const [batch] = this.#batches;
    if (this.#sending !== null || batch === undefined) return;
    this.#sending = this.#sendBatch(batch).finally(() => {
      this.#sending = null;
      const [next] = this.#batches;
      if (next === undefined || this.#isClosed) return;
      if (this.#failures > 0)
        this.#sendIn(Math.min(firstRetryMs * 2 ** (this.#failures - 1), longestRetryMs));
      else if (next.isFull) this.#send();
      else this.#sendIn(gatherMs);
    });
  }

  async #sendBatch(batch: SpanBatch): Promise<void> {
    const result = await this.#exporter.send(batch);
    const { code, rejected, error = new Error("the receiver failed") } = result;
    // `close` has already counted a batch that was still being sent as lost.
    if (this.#batches[0] !== batch) return;
    if (code === ExportResultCode.SUCCESS) {
      this.#forget(batch, rejected);
      // Not after a refusal, which may come while the connection still sends the batch.
      batch.clear();
      this.#spare = batch;
      if (this.#failures > 0) this.#options.onRecovered();
      this.#failures = 0;
      return;
    }
    if (this.#failures === 0) this.#options.onFailing(error);
    this.#failures += 1;
    // Sent again, it would be refused again.
    if (isRefusal(error)) this.#forget(batch, batch.count);
  }

  #forget(batch: SpanBatch, refused: number): void {
    this.#batches.shift();
    this.#queued -= batch.count;
    this.#lost.refused += refused;
    this.#exported += batch.count - refused;
  }
}

/** Whether the receiver answered that it will never take these spans, by its HTTP status. */
function isRefusal(error: Error): boolean {
  const status = "code" in error && typeof error.code === "number" ? error.code : 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
