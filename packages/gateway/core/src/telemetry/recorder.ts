import { setTimeout as delay } from "node:timers/promises";
import type { TelemetryConfig } from "@proj/gateway-protocol";
import type { SessionStore, StepRow, StepWritten } from "@proj/session-store";
import { within } from "../waiting/within.ts";
import { PromisedRow, type RowEnding } from "./promised-row.ts";
import { QueueBounds, unavailable } from "./queue-bounds.ts";
import type { LossReason, RecorderObserver } from "./recorder-observer.ts";
import { RowGathering } from "./row-gathering.ts";
import { createQueuedStep, type QueuedStep, StepQueue } from "./step-queue.ts";
import { StorageWriter } from "./storage-writer.ts";

/** A larger message to the writing thread would block the event loop while it is copied. */
const maxBatchBytes = 8 * 1024 * 1024;
const firstRetryMs = 50;
const lastRetryMs = 2_000;

/**
 * Writes rows to storage by group commit: one batch at a time, at once when nothing is being written (strict)
 * or after the flush interval (best effort). Rows that arrive meanwhile, or are about to, share the next
 * batch. Rows are retried in order until they are stored.
 */
export class Recorder {
  readonly #store: SessionStore;
  readonly #config: TelemetryConfig;
  readonly #observer: RecorderObserver;
  readonly #queue = new StepQueue();
  readonly #stopped = new AbortController();
  readonly #bounds: QueueBounds;
  readonly #writer: StorageWriter;
  readonly #gathering: RowGathering;
  #closing = false;
  #loop: Promise<void> | null = null;
  /** Resolves when the batch sent last is stored or has failed. */
  #attempt: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #lostRows = 0;

  constructor(store: SessionStore, config: TelemetryConfig, observer: RecorderObserver) {
    this.#store = store;
    this.#config = config;
    this.#observer = observer;
    this.#bounds = new QueueBounds(config, this.#queue);
    this.#gathering = new RowGathering(this.#queue, this.#bounds);
    this.#writer = new StorageWriter({
      store,
      observer,
      timeoutMs: 1_000 * config.write_timeout_s,
      onStored: (step, result) => this.#stored(step, result),
      onRefused: (step) => this.#lose(step, "refused"),
    });
  }

  get rows(): number {
    return this.#queue.rows;
  }
  get bytes(): number {
    return this.#queue.bytes;
  }

  /** Rows that will never be stored, counted since the start. */
  get lostRows(): number {
    return this.#lostRows;
  }

  /** Why storage cannot be written to at the moment; null while it can. */
  get failure(): Error | null {
    return this.#writer.failure;
  }

  /**
   * Strict mode: reserves room in the queue before anything is forwarded, so that no answer arrives without
   * room for its row. Returns the function that gives the room back.
   * @throws GatewayError telemetry_unavailable, worth a retry
   */
  reserve(bytes: number): () => void {
    if (this.failure !== null)
      throw unavailable(`storage cannot be written: ${this.failure.message}`);
    return this.#bounds.reserve(bytes);
  }

  /**
   * Takes a row. Under best effort the bounds of the queue apply here, by the loss policy; a strict row has
   * its reservation.
   * @param deadline by `monotonicMs`: after it the row is only stored amended
   */
  record(row: StepRow, deadline: number = Number.POSITIVE_INFINITY): QueuedStep {
    const step = createQueuedStep(row, deadline);
    const lose = (oldest: QueuedStep): void => this.#lose(oldest, "queue_full");
    if (this.#config.mode === "best_effort" && !this.#bounds.makeRoom(step, lose)) {
      this.#lose(step, "queue_full");
      return step;
    }
    this.#queue.add(step);
    this.#schedule();
    return step;
  }

  /** What became of the row by its deadline; a commit that began earlier is waited for. */
  writtenInTime(step: QueuedStep): Promise<RowEnding> {
    return new PromisedRow(step, () => this.#attempt).ending;
  }

  /** Another call to storage failed: probe until it answers. */
  unreachable(error: Error): void {
    this.#writer.failed(error);
    this.#schedule();
  }

  /** Changes what a queued row says, even if it was sent and storage may already hold it. */
  amend(step: QueuedStep, status_code: number, meta_json: string): void {
    step.row = { ...step.row, status_code, meta_json };
    step.deadline = Number.POSITIVE_INFINITY;
    if (step.sent) step.amended = true;
  }

  /**
   * Stores the session's rows unchanged only until the deadline; after it they wait to be amended.
   * @param deadline by `monotonicMs`
   */
  limit(session_id: string, deadline: number): void {
    for (const step of this.#queue.ofSession(session_id))
      step.deadline = Math.min(step.deadline, deadline);
  }

  /** Resolves when no row of the session is in a batch being written. */
  async attempted(session_id: string): Promise<void> {
    if (this.#queue.ofSession(session_id).some((step) => step.inFlight)) await this.#attempt;
  }

  /** Resolves once the session has no queued row left. Until then rows do not wait for the flush interval. */
  drained(session_id: string): Promise<void> {
    const drained = this.#queue.drained(session_id);
    if (this.#isDue()) this.#start();
    return drained;
  }

  hasRows(session_id: string): boolean {
    return this.#queue.hasSession(session_id);
  }

  /**
   * Rows still unwritten when their session was closed are retried, but a reward may have been committed
   * meanwhile. So late rows are marked, with `status_code` 503: no reader may take one for the latest success.
   */
  markLate(session_id: string): void {
    for (const step of this.#queue.ofSession(session_id)) {
      const meta = JSON.parse(step.row.meta_json);
      const status_code = step.row.status_code === 200 ? 503 : step.row.status_code;
      this.amend(step, status_code, JSON.stringify({ ...meta, status_code, late: true }));
    }
  }

  /** Writes the queued rows for at most this long; the rest is lost, and counted. */
  async close(timeoutMs: number): Promise<void> {
    this.#closing = true;
    if (this.#isDue()) {
      this.#start();
      await within(Promise.resolve(this.#loop), timeoutMs);
    }
    this.#stopped.abort();
    for (const step of this.#queue.all()) this.#lose(step, "shutdown");
  }

  #lose(step: QueuedStep, reason: LossReason): void {
    this.#settle(step, null);
    this.#lostRows += 1;
    this.#observer.lost(step.row.session_id, 1, reason);
  }

  #schedule(): void {
    if (this.#isDue()) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), this.#config.flush_interval_ms);
  }

  /** Whether the queued rows must be written at once. */
  #isDue(): boolean {
    const waits = this.#queue.rows > 0 || this.#writer.hasCorrections;
    if (this.#closing) return waits;
    // Storage is probed even with nothing to write.
    if (this.failure !== null) return true;
    const { mode, batch_size } = this.#config;
    const isUrgent = mode === "strict" || this.#queue.isAwaited || this.#queue.rows >= batch_size;
    return waits && isUrgent;
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#loop !== null || this.#stopped.signal.aborted) return;
    // Rows that end in the same turn of the event loop share a commit.
    this.#loop = Promise.resolve().then(() => this.#run());
  }

  async #run(): Promise<void> {
    let retryMs = firstRetryMs;
    do {
      try {
        if (!this.#closing) await this.#gathering.wait(this.#config.batch_size);
        await this.#writeOnce();
        this.#gathering.committed();
        retryMs = firstRetryMs;
        this.#writer.recovered();
      } catch (error) {
        this.#writer.failed(error);
        this.#observer.retried();
        await delay(retryMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
        retryMs = Math.min(2 * retryMs, lastRetryMs);
      }
    } while (this.#isDue() && !this.#stopped.signal.aborted);
    this.#loop = null;
    if (this.#queue.rows > 0 && !this.#stopped.signal.aborted) this.#schedule();
  }

  /** Writes one batch and the corrections that are due; with nothing to write, probes storage. */
  async #writeOnce(): Promise<void> {
    const batch = this.#queue.batch(this.#config.batch_size, maxBatchBytes);
    if (batch.length > 0) {
      const attempt = this.#writer.write(batch);
      this.#attempt = attempt.catch(() => {});
      await attempt;
    } else {
      // Every queued row is past its deadline, and will be amended in a moment.
      if (this.#queue.rows > 0) await delay(firstRetryMs);
      if (!this.#writer.hasCorrections) await this.#store.ping();
    }
    await this.#writer.writeCorrections();
  }

  #stored(step: QueuedStep, result: StepWritten | null): void {
    if (result?.stored === "moved") {
      this.#moved(step, result);
      return;
    }
    if (step.amended) this.#writer.correct(step.row);
    this.#settle(step, result);
  }

  #settle(step: QueuedStep, result: StepWritten | null): void {
    this.#queue.remove(step);
    step.written.happen(result);
  }

  #moved(step: QueuedStep, result: StepWritten): void {
    if (this.#config.mode === "best_effort") this.#lose(step, "session_moved");
    else this.#settle(step, result);
    this.#observer.moved(step.row.session_id, step.row.epoch);
  }
}
