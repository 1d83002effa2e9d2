import type { SessionCloseBody, SessionState } from "@proj/gateway-protocol";
import type { EnvironmentRow, SessionFork } from "@proj/session-store";
import type { Cancellation } from "../call/cancellation.ts";
import type { RunningCall } from "../call/stage.ts";
import { GatewayError, sessionMoved } from "../errors/gateway-error.ts";
import { AnswerRows } from "./answer-rows.ts";
import { BudgetHolds } from "./budget-holds.ts";
import { KeyEnd } from "./key-end.ts";
import { ModelTally } from "./model-tally.ts";
import { Moment, RequestsInFlight } from "./requests-in-flight.ts";
import { Retries } from "./retries.ts";
import { beginRecord, type CloseOptions, SessionClose } from "./session-close.ts";
import type { SessionContext, StoredState } from "./session-context.ts";
import { StoredObjects } from "./stored-objects.ts";

/**
 * One session in memory: `active`, then `closing`, then `closed`. Counts its steps, holds the places of its
 * requests in flight, and closes. No longer used once the session has moved to another gateway.
 */
export class Session {
  readonly session_id: string;
  readonly createdAt: number;
  readonly retries: Retries = new Retries();
  readonly keys: KeyEnd = new KeyEnd();
  readonly holds: BudgetHolds = new BudgetHolds();
  readonly stored: StoredObjects;
  readonly answers: AnswerRows;
  /** The record it begins from, known before its first step; null if it was not forked. */
  fork: SessionFork | null = null;
  readonly #context: SessionContext;
  readonly #models: Map<string, ModelTally> = new Map();
  readonly #requests = new RequestsInFlight();
  #status: SessionState = "active";
  #hasMoved = false;
  /** Whether storage's state has been loaded. */
  #isRestored = false;
  #isUsed = false;
  #epoch: number | null = null;
  #environment: EnvironmentRow | null = null;
  /** When storage was last asked for the environment, in milliseconds of `performance.now()`. */
  #environmentAskedAt = Number.NEGATIVE_INFINITY;
  #closed: Moment | null = null;
  #close: SessionClose | null = null;
  #closeRecord: SessionCloseBody | null = null;
  #closing: Promise<void> | null = null;
  #lostRows = 0;

  /** @param createdAt milliseconds since the epoch */
  constructor(session_id: string, context: SessionContext, createdAt: number) {
    this.session_id = session_id;
    this.createdAt = createdAt;
    this.#context = context;
    this.stored = new StoredObjects({ store: context.store, session_id });
    this.answers = new AnswerRows({ store: context.store, session_id });
  }

  get status(): SessionState {
    return this.#status;
  }

  /** How its close went, or is going; null if no close was requested. */
  get closeRecord(): SessionCloseBody | null {
    return this.#closeRecord;
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

  /** The calls in flight that followers see. */
  get running(): readonly RunningCall[] {
    return this.#requests.running();
  }

  /** Whether a request has entered it here. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  get isRestored(): boolean {
    return this.#isRestored;
  }

  /** When its last request came or ended, in milliseconds since the epoch. */
  get lastSeenAt(): number {
    return this.#requests.lastSeen.at;
  }

  /** How long it has been idle, and closed, in milliseconds; 0 if it is not. */
  get idleMs(): number {
    return this.#requests.count > 0 ? 0 : this.#requests.lastSeen.agoMs;
  }

  get closedMs(): number {
    return this.#closed?.agoMs ?? 0;
  }

  get closedAt(): number | null {
    return this.#closed?.at ?? null;
  }

  /** Whether storage need not be asked about its environment: it is known, or storage was asked a second ago. */
  get isFresh(): boolean {
    if (this.#environment !== null && this.#isRestored) return true;
    return performance.now() - this.#environmentAskedAt < 1_000;
  }

  /** Whether storage knows all of it, so that it can be loaded again. */
  get mayLeave(): boolean {
    return (
      this.#status === "active" &&
      this.#requests.count === 0 &&
      this.#lostRows === 0 &&
      this.#isRestored &&
      !this.#context.recorder.hasRows(this.session_id)
    );
  }

  /** Whether nothing but the time of its close has to be remembered of it. */
  get mayBeForgotten(): boolean {
    const isQuiet = this.#requests.count === 0 && this.#lostRows === 0 && this.#isRestored;
    return this.#status === "closed" && isQuiet && !this.#context.recorder.hasRows(this.session_id);
  }

  tally(model: string): ModelTally {
    let tally = this.#models.get(model);
    if (tally === undefined) {
      tally = new ModelTally();
      this.#models.set(model, tally);
    }
    return tally;
  }

  /** Storage is being asked for the environment, or could not be asked. */
  asks(): void {
    this.#environmentAskedAt = performance.now();
  }

  /** Loads storage's state; what was counted before storage could be asked is kept. */
  restore({ epoch, closed_at, last_closed_at, models, fork }: StoredState): void {
    this.#epoch = epoch;
    this.fork = fork;
    this.keys.restore(last_closed_at);
    for (const tally of this.#models.values()) tally.forgetStored();
    for (const model of models) this.tally(model.model).restore(model);
    if (closed_at !== null && this.#status === "active") this.#wasClosed(closed_at);
    this.#isRestored = true;
  }

  /** Binds it to its environment. One that has ended closes it: nothing may follow its reward. */
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
    const why = this.#closeRecord?.reason == null ? "" : ` (${this.#closeRecord.reason})`;
    throw new GatewayError(
      "session_closed",
      `Session '${this.session_id}' is ${this.#status}${why} and takes no more requests. Use another session.`,
    );
  }

  /**
   * Takes a place among the requests in flight and returns the function to leave with.
   * @param running what followers see of it; null: nothing
   * @throws GatewayError session_closed, session_moved
   */
  enter(cancellation: Cancellation, running: RunningCall | null): () => void {
    if (this.#hasMoved) throw sessionMoved(this.session_id);
    this.checkOpen();
    this.#isUsed = true;
    return this.#requests.enter(cancellation, running);
  }

  /** Rows of this session will never be stored. */
  lose(rows: number): void {
    this.#lostRows += rows;
  }

  /** Another gateway has the session: nothing in flight here will be recorded. */
  moved(): void {
    this.#hasMoved = true;
    this.#requests.cancelAll(sessionMoved(this.session_id));
  }

  /**
   * Takes it through `closing` to `closed` in bounded time. From this turn of the event loop on, no request
   * enters it. Resolves when it is closed.
   */
  close({ reason, mode, traceparent }: CloseOptions): Promise<void> {
    if (this.#status === "active") {
      this.#status = "closing";
      const parts = { session_id: this.session_id, requests: this.#requests };
      const close = new SessionClose(
        { ...parts, lostRows: () => this.#lostRows },
        this.#context,
        reason,
      );
      this.#close = close;
      this.#closeRecord = close.record;
      this.#closing = close
        .run(() => this.#hasClosed(new Moment()))
        .then(() => {
          // A session that was loaded only to be read, after its simulation had ended, was reported before.
          if (this.#isUsed || traceparent !== undefined)
            this.#context.onClosed(this, traceparent ?? null);
        });
    }
    if (mode === "abort" && this.#status === "closing") this.#close?.abort();
    return this.#closing ?? Promise.resolve();
  }

  #hasClosed(at: Moment): void {
    [this.#status, this.#closed] = ["closed", at];
  }

  /** It was closed, here or at another gateway, before it was opened here. */
  #wasClosed(closed_at: string): void {
    this.#hasClosed(new Moment(Date.parse(closed_at)));
    this.#closeRecord = { ...beginRecord(null, 0), drained: true, telemetry: "flushed" };
  }
}
