import {
  monotonicMs,
  type SessionStore,
  type StepAmendment,
  type StepRow,
  type StepWritten,
  StoreUnavailableError,
} from "@proj/session-store";
import type { RecorderObserver } from "./recorder-observer.ts";
import type { QueuedStep } from "./step-queue.ts";

export interface StorageWriterOptions {
  readonly store: SessionStore;
  /** How long one batch may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly observer: RecorderObserver;
  readonly onStored: (step: QueuedStep, result: StepWritten | null) => void;
  /** Storage refuses the row even without its payload. */
  readonly onRefused: (step: QueuedStep) => void;
}

/**
 * Hands batches of rows, and corrections of rows, to storage. Singles out rows that storage cannot take, and knows from
 * the last attempt whether storage can be written to.
 */
export class StorageWriter {
  readonly #options: StorageWriterOptions;
  readonly #corrections: StepAmendment[] = [];
  #failure: Error | null = null;

  constructor(options: StorageWriterOptions) {
    this.#options = options;
  }

  /** Why storage cannot be written to; null while it can. */
  get failure(): Error | null {
    return this.#failure;
  }

  failed(error: unknown): void {
    const failure = error instanceof Error ? error : new Error(String(error));
    if (this.#failure === null) this.#options.observer.unavailable(failure);
    this.#failure = failure;
  }

  recovered(): void {
    if (this.#failure === null) return;
    this.#failure = null;
    this.#options.observer.recovered();
  }

  get hasCorrections(): boolean {
    return this.#corrections.length > 0;
  }

  /** Leaves a row's payload behind: its memory may be freed, and a correction does not need it. */
  correct({ request_id, status_code, meta_json }: StepAmendment): void {
    this.#corrections.push({ request_id, status_code, meta_json });
  }

  /** Corrections that cannot be written stay queued. @throws StoreUnavailableError */
  async writeCorrections(): Promise<void> {
    if (!this.hasCorrections) return;
    const corrections = this.#corrections.slice();
    await this.#options.store.amendSteps(corrections);
    this.#corrections.splice(0, corrections.length);
  }

  /** @throws StoreUnavailableError nothing of the batch is known to be stored */
  async write(batch: readonly QueuedStep[]): Promise<void> {
    for (const step of batch) {
      step.inFlight = true;
      step.sent = true;
    }
    try {
      await this.#send(batch);
    } catch (error) {
      const isUnavailable = error instanceof StoreUnavailableError;
      for (const step of batch) {
        step.inFlight = false;
        if (isUnavailable && error.writerDied) blame(step);
      }
      if (isUnavailable) throw error;
      await this.#writeSingly(batch, error);
    }
  }

  async #send(batch: readonly QueuedStep[]): Promise<void> {
    const { store, timeoutMs, observer, onStored } = this.#options;
    const began = performance.now();
    // From then on new requests are refused before they are forwarded, instead of failing afterwards.
    const overdue = setTimeout(
      () => this.failed(new Error(`a write takes longer than ${timeoutMs} ms`)),
      timeoutMs,
    );
    try {
      // Once a row's caller was refused, or its session closed, the row must not be stored as a success.
      const deadline = batch.reduce(
        (earliest, step) => Math.min(earliest, step.deadline),
        monotonicMs() + timeoutMs,
      );
      const rows = batch.map((step) => step.row);
      const results = await store.writeSteps(rows, { deadline });
      observer.committed(batch.length, performance.now() - began);
      batch.forEach((step, index) => {
        onStored(step, results[index] ?? null);
      });
    } finally {
      clearTimeout(overdue);
    }
  }

  /**
   * After storage refused a batch for its content: a row that cannot be stored must not hold up the others.
   */
  async #writeSingly(batch: readonly QueuedStep[], error: unknown): Promise<void> {
    const [only] = batch;
    if (batch.length > 1 || only === undefined) {
      for (const step of batch) await this.write([step]);
    } else if (hasPayload(only.row)) {
      const message = error instanceof Error ? error.message : String(error);
      only.row = withoutPayload(only.row, `storage refused the row: ${message}`);
      await this.write(batch);
    } else this.#options.onRefused(only);
  }
}

/** A row present at two deaths of the writer may be their cause: it is sent without its payload. */
function blame(step: QueuedStep): void {
  step.deaths += 1;
  if (step.deaths === 2) step.row = withoutPayload(step.row, "the writer died twice with this row");
}

function hasPayload({ request, response, messages }: StepRow): boolean {
  return request !== null || response !== null || messages !== null;
}

/** The row without the parts that may keep it from being stored, with the reason. */
function withoutPayload(row: StepRow, capture_error: string): StepRow {
  const meta_json = JSON.stringify({ ...JSON.parse(row.meta_json), capture_error });
  return { ...row, meta_json, request: null, response: null, messages: null, history: null };
}
