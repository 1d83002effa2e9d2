import { setTimeout as delay } from "node:timers/promises";
import type { TelemetryConfig } from "@proj/gateway-protocol";
import {
  type SessionStore,
  type StepAmendment,
  type StepRow,
  StoreUnavailableError,
} from "@proj/session-store";
import { GatewayError } from "../gateway-error.ts";
import { within } from "../within.ts";
import { createQueuedStep, type QueuedStep, StepQueue } from "./step-queue.ts";

/** A larger message to the writer's thread would hold up the event loop while it is copied. */
const maxBatchBytes = 8 * 1024 * 1024;
const firstRetryMs = 50;
const lastRetryMs = 2_000;

/** Whom the recorder tells of its work. */
export interface RecorderObserver {
  committed(rows: number, durationMs: number): void;
  lost(session_id: string, rows: number, reason: LossReason): void;
  /** A batch could not be written and is kept. */
  retried(): void;
  /** Storage cannot be written, for the first time since it last could. */
  unavailable(error: Error): void;
  recovered(): void;
}

export type LossReason = "queue_full" | "refused" | "shutdown";

/**
 * Brings rows into storage by group commit: one batch at a time, at once when nothing is being
 * written (strict) or after the flush interval (best effort); what arrives meanwhile shares the
 * next batch. Rows are retried in order until they are stored.
 */
export class Recorder {
  readonly #store: SessionStore;
  readonly #config: TelemetryConfig;
  readonly #observer: RecorderObserver;
  readonly #queue = new StepQueue();
  readonly #amendments: StepAmendment[] = [];
  readonly #stopped = new AbortController();
  #reservedRows = 0;
  #reservedBytes = 0;
  #closing = false;
  #loop: Promise<void> | null = null;
  /** Resolves when the batch that was sent last is stored or has failed. */
  #attempt: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #failure: Error | null = null;
  #lostRows = 0;

  constructor(store: SessionStore, config: TelemetryConfig, observer: RecorderObserver) {
    this.#store = store;
    this.#config = config;
    this.#observer = observer;
  }

  get rows(): number {
    return this.#queue.rows;
  }

  get bytes(): number {
    return this.#queue.bytes;
  }

  /** Rows that will never be stored, since the start. */
  get lostRows(): number {
    return this.#lostRows;
  }

  /** Why storage cannot be written at the moment; null while it can. */
  get failure(): Error | null {
    return this.#failure;
  }

  /**
   * Strict: promises a place in the queue before anything is forwarded, so that no answer is got
   * for which there is no row. Returns how to give the place back.
   * @throws GatewayError telemetry_unavailable, worth a retry
   */
  reserve(bytes: number): () => void {
    const { queue_max_rows, queue_max_bytes } = this.#config;
    if (this.#failure !== null)
      throw unavailable(`storage cannot be written: ${this.#failure.message}`);
    const rows = this.#queue.rows + this.#reservedRows + 1;
    const held = this.#queue.bytes + this.#reservedBytes;
    // A row larger than the whole bound passes when it is alone.
    if (rows > queue_max_rows || (held > 0 && held + bytes > queue_max_bytes))
      throw unavailable("too many rows wait to be written");
    this.#reservedRows += 1;
    this.#reservedBytes += bytes;
    let reserved = true;
    return () => {
      if (!reserved) return;
      reserved = false;
      this.#reservedRows -= 1;
      this.#reservedBytes -= bytes;
    };
  }

  /**
   * Takes a row. Under best effort the bounds of the queue hold here, by the loss policy;
   * a strict row has its reservation.
   * @param deadline milliseconds since the epoch: past it the row is not stored before it is amended
   */
  record(row: StepRow, deadline: number = Number.POSITIVE_INFINITY): QueuedStep {
    const step = createQueuedStep(row, rowBytes(row), deadline);
    if (this.#config.mode === "best_effort" && !this.#makeRoom(step)) {
      this.#lose(step, "queue_full");
      return step;
    }
    this.#queue.add(step);
    this.#schedule();
    return step;
  }

  /** Whether the row was stored by its deadline; a commit that began before it is waited for. */
  async writtenInTime(step: QueuedStep): Promise<boolean> {
    if (!(await within(step.written, step.deadline - Date.now()))) {
      if (step.inFlight) await this.#attempt;
      if (!(await within(step.written, 0))) return false;
    }
    return (await step.written) !== null;
  }

  /** Changes what a row says that waits, also where it was sent and storage may hold it already. */
  amend(step: QueuedStep, status_code: number, meta_json: string): void {
    step.row = { ...step.row, status_code, meta_json };
    step.deadline = Number.POSITIVE_INFINITY;
    if (step.sent) step.amended = true;
  }

  /**
   * Gives the session's rows so long to be stored as they are; then they wait to be amended.
   * @param deadline milliseconds since the epoch
   */
  limit(session_id: string, deadline: number): void {
    for (const step of this.#queue.ofSession(session_id))
      step.deadline = Math.min(step.deadline, deadline);
  }

  /** Resolves when no row of the session is in a batch that is being written. */
  async attempted(session_id: string): Promise<void> {
    if (this.#queue.ofSession(session_id).some((step) => step.inFlight)) await this.#attempt;
  }

  /** Resolves once the session has no row left that waits. Until then no row waits for the flush interval. */
  drained(session_id: string): Promise<void> {
    const drained = this.#queue.drained(session_id);
    if (this.#isDue()) this.#start();
    return drained;
  }

  hasRows(session_id: string): boolean {
    return this.#queue.hasSession(session_id);
  }

  waiting(session_id: string): readonly QueuedStep[] {
    return this.#queue.ofSession(session_id);
  }

  /** Writes what waits for at most so many milliseconds; what is left then is lost, and counted. */
  async close(timeoutMs: number): Promise<void> {
    this.#closing = true;
    if (this.#isDue()) {
      this.#start();
      await within(Promise.resolve(this.#loop), timeoutMs);
    }
    this.#stopped.abort();
    for (const step of this.#queue.all()) this.#lose(step, "shutdown");
  }

  #makeRoom(step: QueuedStep): boolean {
    const { queue_max_rows, queue_max_bytes, loss_policy } = this.#config;
    const fits = () =>
      this.#queue.rows < queue_max_rows &&
      (this.#queue.rows === 0 || this.#queue.bytes + step.bytes <= queue_max_bytes);
    while (!fits()) {
      const oldest = loss_policy === "drop_oldest" ? this.#queue.oldestWaiting() : undefined;
      if (oldest === undefined) return false;
      this.#lose(oldest, "queue_full");
    }
    return true;
  }

  #lose(step: QueuedStep, reason: LossReason): void {
    this.#queue.remove(step);
    step.settle(null);
    this.#lostRows += 1;
    this.#observer.lost(step.row.session_id, 1, reason);
  }

  #schedule(): void {
    if (this.#isDue()) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), this.#config.flush_interval_ms);
  }

  /** Whether what waits is to be written at once. */
  #isDue(): boolean {
    const waits = this.#queue.rows > 0 || this.#amendments.length > 0;
    if (this.#closing) return waits;
    // Also with nothing to write it is asked whether it could be.
    if (this.#failure !== null) return true;
    const { mode, batch_size } = this.#config;
    const isUrgent = mode === "strict" || this.#queue.isAwaited || this.#queue.rows >= batch_size;
    return waits && isUrgent;
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#loop !== null || this.#stopped.signal.aborted) return;
    // Rows that end in the same turn of the event loop share the commit.
    this.#loop = Promise.resolve().then(() => this.#run());
  }

  async #run(): Promise<void> {
    let retryMs = firstRetryMs;
    do {
      try {
        await this.#writeOnce();
        retryMs = firstRetryMs;
        this.#recover();
        // What ends meanwhile shares the next commit, instead of waiting behind one of a single row.
        await delay(this.#store.commitPauseMs);
      } catch (error) {
        this.#fail(error);
        this.#observer.retried();
        await delay(retryMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
        retryMs = Math.min(2 * retryMs, lastRetryMs);
      }
    } while (this.#isDue() && !this.#stopped.signal.aborted);
    this.#loop = null;
    if (this.#queue.rows > 0 && !this.#stopped.signal.aborted) this.#schedule();
  }

  /** One batch and the corrections that are due; with nothing to write, asks whether it could be. */
  async #writeOnce(): Promise<void> {
    const batch = this.#queue.batch(this.#config.batch_size, maxBatchBytes);
    if (batch.length > 0) {
      const attempt = this.#writeBatch(batch);
      this.#attempt = attempt.catch(() => {});
      await attempt;
    } else if (this.#amendments.length === 0) await this.#store.ping();
    if (this.#amendments.length === 0) return;
    const amendments = this.#amendments.slice();
    await this.#store.amendSteps(amendments);
    this.#amendments.splice(0, amendments.length);
  }

  async #writeBatch(batch: readonly QueuedStep[]): Promise<void> {
    const began = performance.now();
    const timeoutMs = 1_000 * this.#config.write_timeout_s;
    for (const step of batch) {
      step.inFlight = true;
      step.sent = true;
    }
    // New requests are refused from then on, instead of being forwarded and failing afterwards.
    const stuck = setTimeout(
      () => this.#fail(new Error(`a write takes longer than ${timeoutMs} ms`)),
      timeoutMs,
    );
    try {
      const rows = batch.map((step) => step.row);
      // Once a row's caller was refused, or its session closed, it must not be stored as a success.
      const deadline = batch.reduce(
        (earliest, step) => Math.min(earliest, step.deadline),
        Date.now() + timeoutMs,
      );
      const results = await this.#store.writeSteps(rows, { deadline });
      this.#observer.committed(batch.length, performance.now() - began);
      batch.forEach((step, index) => {
        if (step.amended) this.#amendments.push(step.row);
        this.#queue.remove(step);
        step.settle(results[index] ?? null);
      });
    } catch (error) {
      for (const step of batch) {
        step.inFlight = false;
        if (error instanceof StoreUnavailableError && error.writerDied) blame(step);
      }
      if (error instanceof StoreUnavailableError) throw error;
      await this.#writeSingly(batch, error);
    } finally {
      clearTimeout(stuck);
    }
  }

  /** After a batch was refused for what is in it: one row that cannot be stored holds up no other. */
  async #writeSingly(batch: readonly QueuedStep[], error: unknown): Promise<void> {
    const [only] = batch;
    if (batch.length > 1 || only === undefined) {
      for (const step of batch) await this.#writeBatch([step]);
    } else if (hasPayload(only.row)) {
      const message = error instanceof Error ? error.message : String(error);
      dropPayload(only, `the storage refused the row: ${message}`);
      await this.#writeBatch(batch);
    } else this.#lose(only, "refused");
  }

  #fail(error: unknown): void {
    const failure = error instanceof Error ? error : new Error(String(error));
    if (this.#failure === null) this.#observer.unavailable(failure);
    this.#failure = failure;
  }

  #recover(): void {
    if (this.#failure === null) return;
    this.#failure = null;
    this.#observer.recovered();
  }
}

/** A row that was there at two deaths of the writer may be their cause: it goes without its payload. */
function blame(step: QueuedStep): void {
  step.deaths += 1;
  if (step.deaths === 2) dropPayload(step, "the writer died twice with this row");
}

function dropPayload(step: QueuedStep, capture_error: string): void {
  const meta = JSON.parse(step.row.meta_json);
  const meta_json = JSON.stringify({ ...meta, capture_error });
  step.row = { ...step.row, meta_json, request: null, response: null, messages: null };
}

function hasPayload({ request, response, messages }: StepRow): boolean {
  return request !== null || response !== null || messages !== null;
}

function rowBytes(row: StepRow): number {
  return (
    row.meta_json.length +
    (row.request?.byteLength ?? 0) +
    (row.response?.byteLength ?? 0) +
    (row.messages?.byteLength ?? 0)
  );
}

function unavailable(why: string): GatewayError {
  return new GatewayError(
    "telemetry_unavailable",
    `The step cannot be recorded: ${why}. Try again.`,
    {
      retryAfterMs: 1_000,
    },
  );
}
