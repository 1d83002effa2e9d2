import type { SessionCloseBody, SessionState } from "@proj/gateway-protocol";
import { type EnvironmentRow, monotonicMs, type SessionFork } from "@proj/session-store";
import type { Cancellation } from "../call/cancellation.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { sessionMoved } from "../errors/session-moved.ts";
import { markLate } from "../telemetry/late-steps.ts";
import { within } from "../waiting/within.ts";
import { beginRecord, type CloseOptions, type CloseRecord } from "./close-record.ts";
import { KeyEnd } from "./key-end.ts";
import { ModelTally } from "./model-tally.ts";
import { Moment } from "./moment.ts";
import { RequestsInFlight } from "./requests-in-flight.ts";
import { Retries } from "./retries.ts";
import type { SessionContext, StoredState } from "./session-context.ts";
import { storeClose } from "./store-close.ts";
import { StoredObjects } from "./stored-objects.ts";

const environmentRetryMs = 1_000;

/**
 * One session in memory: `active`, then `closing`, then `closed`. Counts its steps, holds the places
 * of its requests in flight, and closes. A session that has moved to another gateway is of no more use.
 */
export class Session {
  readonly session_id: string;
  readonly createdAt: number = Date.now();
  readonly retries: Retries = new Retries();
  readonly keys: KeyEnd = new KeyEnd();
  readonly stored: StoredObjects;
  /** From whose record it begins, known before its first step; null: from none. */
  fork: SessionFork | null = null;
  readonly #context: SessionContext;
  readonly #models: Map<string, ModelTally> = new Map();
  readonly #requests = new RequestsInFlight();
  #status: SessionState = "active";
  #hasMoved = false;
  /** Whether what storage knows has been taken over. */
  #isRestored = false;
  #epoch: number | null = null;
  #environment: EnvironmentRow | null = null;
  /** When storage was last asked for the environment, in milliseconds of `performance.now()`. */
  #environmentAskedAt = Number.NEGATIVE_INFINITY;
  #lastSeen = new Moment();
  #closed: Moment | null = null;
  #close: CloseRecord | null = null;
  #closing: Promise<void> | null = null;
  #lostRows = 0;

  constructor(session_id: string, context: SessionContext) {
    this.session_id = session_id;
    this.#context = context;
    this.stored = new StoredObjects(() => context.store.readResponses(session_id));
  }

  get status(): SessionState {
    return this.#status;
  }

  /** How its close went, or goes; null: it was not asked for. */
  get closeRecord(): SessionCloseBody | null {
    return this.#close;
  }

  /** Epoch of this gateway's binding; null until storage could be asked. */
  get epoch(): number | null {
    return this.#epoch;
  }

  get environment(): EnvironmentRow | null {
    return this.#environment;
  }

  get models(): ReadonlyMap<string, ModelTally> {
    return this.#models;
  }

  get inFlight(): number {
    return this.#requests.count;
  }

  get isRestored(): boolean {
    return this.#isRestored;
  }

  /** When its last request came or ended, in milliseconds since the epoch. */
  get lastSeenAt(): number {
    return this.#lastSeen.at;
  }

  /** For how long it has been idle, and closed, in milliseconds; 0 where it is not. */
  get idleMs(): number {
    return this.#requests.count > 0 ? 0 : this.#lastSeen.agoMs;
  }

  get closedMs(): number {
    return this.#closed?.agoMs ?? 0;
  }

  get closedAt(): number | null {
    return this.#closed?.at ?? null;
  }

  /** Whether storage need not be asked what has become of it. */
  get isFresh(): boolean {
    if (this.#environment !== null && this.#isRestored) return true;
    return performance.now() - this.#environmentAskedAt < environmentRetryMs;
  }

  /** Whether storage knows all of it, so that it can be read again. */
  get mayLeave(): boolean {
    return (
      this.#status === "active" &&
      this.#requests.count === 0 &&
      this.#lostRows === 0 &&
      this.#isRestored &&
      !this.#context.recorder.hasRows(this.session_id)
    );
  }

  tally(model: string): ModelTally {
    let tally = this.#models.get(model);
    if (tally === undefined) {
      tally = new ModelTally();
      this.#models.set(model, tally);
    }
    return tally;
  }

  /** Storage is asked for the environment now, or could not be. */
  asks(): void {
    this.#environmentAskedAt = performance.now();
  }

  /** Takes over what storage knows; what was counted before it could be asked is kept. */
  restore({ epoch, closed_at, last_closed_at, models, fork }: StoredState): void {
    this.#epoch = epoch;
    this.fork = fork;
    this.keys.restore(last_closed_at);
    for (const tally of this.#models.values()) tally.forgetStored();
    for (const model of models) this.tally(model.model).restore(model);
    if (closed_at !== null && this.#status === "active") this.#wasClosed(closed_at);
    this.#isRestored = true;
  }

  /** Binds it to its environment, once there is one. One that has ended closes it: nothing may be written behind its reward. */
  bind(environment: EnvironmentRow | null): void {
    this.asks();
    if (environment === null) return;
    this.#environment = environment;
    if (environment.status === "pending" || environment.status === "running") return;
    void this.close({ reason: `environment is ${environment.status}`, mode: "abort" });
  }

  /** @throws GatewayError session_closed */
  checkOpen(): void {
    if (this.#status === "active") return;
    const why = this.#close?.reason == null ? "" : ` (${this.#close.reason})`;
    throw new GatewayError(
      "session_closed",
      `Session '${this.session_id}' is ${this.#status}${why} and takes no more requests. Use another session.`,
    );
  }

  /**
   * Takes a place among the requests in flight and returns how to leave it.
   * @throws GatewayError session_closed, session_moved
   */
  enter(cancellation: Cancellation): () => void {
    if (this.#hasMoved) throw sessionMoved(this.session_id);
    this.checkOpen();
    this.#lastSeen = new Moment();
    const leave = this.#requests.enter(cancellation);
    return () => {
      leave();
      this.#lastSeen = new Moment();
    };
  }

  /** Rows of it will never be stored. */
  lose(rows: number): void {
    this.#lostRows += rows;
  }

  /** Another gateway has the session: nothing that is in flight here will be recorded. */
  moved(): void {
    this.#hasMoved = true;
    this.#requests.cancelAll(sessionMoved(this.session_id));
  }

  /**
   * Brings it through `closing` to `closed`; it never stays in between for ever. Admission ends in
   * this very turn of the event loop. Resolves when it is closed.
   */
  close({ reason, mode, traceparent }: CloseOptions): Promise<void> {
    if (this.#closing === null && this.#status === "active") {
      this.#status = "closing";
      const record = beginRecord(reason, this.#lostRows);
      this.#close = record;
      if (mode === "abort") this.#abort(record);
      this.#closing = this.#finishClose(record).then(() =>
        this.#context.onClosed(this, traceparent ?? null),
      );
    } else if (mode === "abort" && this.#status === "closing" && this.#close !== null)
      this.#abort(this.#close);
    return this.#closing ?? Promise.resolve();
  }

  async #finishClose(record: CloseRecord): Promise<void> {
    const { session_id } = this;
    const { store, storesCloses, recorder, closeTimeoutMs, writeTimeoutMs } = this.#context;
    const ended = this.#requests.ended().then(() => {
      record.drained = !record.forced;
      return recorder.drained(session_id);
    });
    if (!(await within(ended, closeTimeoutMs))) {
      this.#abort(record);
      recorder.limit(session_id, monotonicMs() + writeTimeoutMs);
      await within(ended, writeTimeoutMs);
      await recorder.attempted(session_id);
      record.forced = true;
    }
    if (storesCloses) await within(storeClose(store, session_id), writeTimeoutMs);
    this.#status = "closed";
    this.#closed = new Moment();
    record.lost_rows = this.#lostRows;
    if (this.#requests.count > 0 || recorder.hasRows(session_id)) {
      markLate(recorder, session_id);
      void ended.then(() => this.#tellTelemetry(record));
    } else this.#tellTelemetry(record);
  }

  /** Every row has arrived or is lost. */
  #tellTelemetry(record: CloseRecord): void {
    record.lost_rows = this.#lostRows;
    record.telemetry = this.#lostRows > 0 ? "lost" : "flushed";
  }

  /** It was closed, at this gateway or another one, before it was opened here. */
  #wasClosed(closed_at: string): void {
    this.#status = "closed";
    this.#closed = new Moment(Date.parse(closed_at));
    this.#close = { ...beginRecord(null, 0), drained: true, telemetry: "flushed" };
  }

  #abort(record: CloseRecord): void {
    if (this.#requests.count === 0) return;
    record.forced = true;
    const message = `Session '${this.session_id}' was closed before the answer was complete.`;
    this.#requests.cancelAll(new GatewayError("session_closed", message));
  }
}
