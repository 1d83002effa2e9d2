import {
  monotonicMs,
  type SessionStore,
  type StepWritten,
  StoreUnavailableError,
} from "@proj/session-store";
import { hasPayload, withoutPayload } from "./row-payload.ts";
import type { QueuedStep } from "./step-queue.ts";

export interface BatchWriterOptions {
  readonly store: SessionStore;
  /** How long one batch may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly onCommitted: (rows: number, durationMs: number) => void;
  readonly onStored: (step: QueuedStep, result: StepWritten | null) => void;
  /** Storage refuses the row even without its payload. */
  readonly onRefused: (step: QueuedStep) => void;
  /** The time is up and storage has not answered yet. */
  readonly onOverdue: (error: Error) => void;
}

/** Hands batches of rows to storage, and singles out rows that storage cannot take. */
export class BatchWriter {
  readonly #options: BatchWriterOptions;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
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
    const { store, timeoutMs, onCommitted, onStored, onOverdue } = this.#options;
    const began = performance.now();
    const overdue = setTimeout(
      () => onOverdue(new Error(`a write takes longer than ${timeoutMs} ms`)),
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
      onCommitted(batch.length, performance.now() - began);
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
