import type { EnvironmentRow, SessionStore } from "@proj/session-store";
import { GatewayError } from "../gateway-error.ts";
import type { Cancellation } from "../pipeline/cancellation.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import { within } from "../within.ts";
import { closeSession } from "./close-session.ts";
import { readStorage } from "./read-storage.ts";
import { Session, type SessionStatus } from "./session.ts";

const environmentRetryMs = 1_000;
const closedTtlMs = 24 * 60 * 60 * 1_000;

export interface SessionRegistryOptions {
  readonly maxSessions: number;
  readonly idleTtlMs: number;
  /** Whether a session may open although storage does not answer: its counters are taken over later. */
  readonly openWithoutStorage: boolean;
  /** Longest wait for requests in flight of a session whose environment turns out to have ended. */
  readonly closeTimeoutMs: number;
  /** Longest wait for rows, when a session is loaded or closed. */
  readonly writeTimeoutMs: number;
}

/** The sessions in memory, each loaded from storage once, the longest idle first. */
export class SessionRegistry {
  readonly #store: SessionStore;
  readonly #recorder: Recorder;
  readonly #options: SessionRegistryOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #loading = new Map<string, Promise<Session>>();
  readonly #refreshing = new Map<Session, Promise<void>>();
  /** Opened without storage, so that what it knows is still to be taken over. */
  readonly #unrestored = new WeakSet<Session>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(store: SessionStore, recorder: Recorder, options: SessionRegistryOptions) {
    this.#store = store;
    this.#recorder = recorder;
    this.#options = options;
    const sweepMs = Math.min(Math.max(options.idleTtlMs / 2, 50), 60_000);
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  find(session_id: string): Session | null {
    return this.#sessions.get(session_id) ?? null;
  }

  all(): Iterable<Session> {
    return this.#sessions.values();
  }

  countByStatus(): Record<SessionStatus, number> {
    const count = { active: 0, closing: 0, closed: 0 };
    for (const session of this.#sessions.values()) count[session.status] += 1;
    return count;
  }

  /**
   * The session with its counters and, once storage has one, its environment.
   * @throws GatewayError telemetry_unavailable, overloaded
   */
  open(session_id: string): Session | Promise<Session> {
    const session = this.#sessions.get(session_id);
    return session !== undefined && this.#isFresh(session) ? session : this.#open(session_id);
  }

  async #open(session_id: string): Promise<Session> {
    for (;;) {
      const session = this.#sessions.get(session_id) ?? (await this.#load(session_id));
      if (this.#isFresh(session)) return session;
      await this.#refresh(session);
      // It may have left memory meanwhile, and another one may have come for it.
      if (this.#sessions.get(session_id) === session) return session;
    }
  }

  /** Whether storage need not be asked what has become of it. */
  #isFresh(session: Session): boolean {
    if (session.environment !== null && !this.#unrestored.has(session)) return true;
    return Date.now() - session.environmentAskedAt < environmentRetryMs;
  }

  /**
   * Takes a place among the requests in flight, in the turn in which the session was opened, and
   * returns how to leave it.
   * @throws GatewayError session_closed
   */
  enter(session: Session, cancellation: Cancellation): () => void {
    const { session_id } = session;
    const leave = session.enter(cancellation);
    // Where room was made in this very turn, it may have left memory.
    if (this.#sessions.get(session_id) !== session) this.#sessions.set(session_id, session);
    return () => {
      leave();
      if (this.#sessions.get(session_id) !== session) return;
      // To the end of the map, whose order is that of use.
      this.#sessions.delete(session_id);
      this.#sessions.set(session_id, session);
    };
  }

  /** The session in memory, where it has taken over all that storage knows of it. */
  findRestored(session_id: string): Session | null {
    const session = this.find(session_id);
    return session === null || this.#unrestored.has(session) ? null : session;
  }

  /** Lets go of a session that another gateway has taken: the next request binds it again. */
  moved(session_id: string, epoch: number | null): void {
    const session = this.#sessions.get(session_id);
    if (session === undefined || session.epoch !== epoch) return;
    this.#sessions.delete(session_id);
    session.move();
  }

  /**
   * Lets go of a closed session. False where the session is unknown.
   * @throws GatewayError session_not_closed, storage_unavailable
   */
  async clean(session_id: string): Promise<boolean> {
    const session = this.#sessions.get(session_id);
    if (session !== undefined && session.status !== "closed")
      throw new GatewayError(
        "session_not_closed",
        `Session '${session_id}' is ${session.status}. Close it, and clean it once it is closed.`,
      );
    await readStorage(this.#store.reopenSession(session_id));
    return session !== undefined && this.#sessions.delete(session_id);
  }

  dispose(): void {
    clearInterval(this.#sweeper);
  }

  #load(session_id: string): Promise<Session> {
    let loading = this.#loading.get(session_id);
    if (loading === undefined) {
      loading = this.#read(session_id).finally(() => this.#loading.delete(session_id));
      this.#loading.set(session_id, loading);
    }
    return loading;
  }

  async #read(session_id: string): Promise<Session> {
    this.#makeRoom();
    const session = new Session(session_id);
    try {
      await this.#restore(session);
    } catch (error) {
      // Whether it is out of reach altogether is for readiness to know.
      void this.#store.ping().catch((failure) => this.#recorder.unreachable(failure));
      if (!this.#options.openWithoutStorage)
        throw new GatewayError(
          "telemetry_unavailable",
          "The session cannot be read from storage. Try again.",
          { cause: error, retryAfterMs: 1_000 },
        );
      session.environmentAskedAt = Date.now();
      this.#unrestored.add(session);
    }
    this.#sessions.set(session_id, session);
    return session;
  }

  /** Counts begin after the session's own rows that are still on their way into storage. */
  async #restore(session: Session): Promise<void> {
    const { session_id } = session;
    if (!(await within(this.#recorder.drained(session_id), this.#options.writeTimeoutMs)))
      throw new Error("rows of the session still wait to be written");
    // Before it is read: what another gateway still writes of it is stored by then, or never.
    const { epoch, closed_at } = await this.#store.bindSession(session_id);
    const { models, environment } = await this.#store.readSession(session_id);
    session.epoch = epoch;
    for (const tally of session.models.values()) tally.forgetStored();
    session.restore(models);
    if (closed_at !== null && session.status === "active") session.closedBefore(closed_at);
    this.#bind(session, environment);
    this.#unrestored.delete(session);
  }

  /** A session whose environment has ended is closed: nothing may be written behind its reward. */
  #bind(session: Session, environment: EnvironmentRow | null): void {
    session.environmentAskedAt = Date.now();
    if (environment === null) return;
    session.environment = environment;
    if (environment.status === "pending" || environment.status === "running") return;
    void closeSession(session, this.#recorder, this.#store, {
      reason: `environment is ${environment.status}`,
      mode: "abort",
      timeoutMs: this.#options.closeTimeoutMs,
      flushTimeoutMs: this.#options.writeTimeoutMs,
    });
  }

  /** Asks again for what was not there; one question at a time, and no answer stops nobody. */
  #refresh(session: Session): Promise<void> {
    let refreshing = this.#refreshing.get(session);
    if (refreshing === undefined) {
      session.environmentAskedAt = Date.now();
      const asked = this.#unrestored.has(session)
        ? this.#restore(session)
        : this.#store.readEnvironment(session.session_id).then((row) => this.#bind(session, row));
      refreshing = asked.catch(() => {}).finally(() => this.#refreshing.delete(session));
      this.#refreshing.set(session, refreshing);
    }
    return refreshing;
  }

  #makeRoom(): void {
    let excess = this.#sessions.size + this.#loading.size + 1 - this.#options.maxSessions;
    if (excess <= 0) return;
    for (const session of this.#sessions.values()) {
      if (!this.#mayLeave(session)) continue;
      this.#sessions.delete(session.session_id);
      excess -= 1;
      if (excess === 0) return;
    }
    throw new GatewayError("overloaded", "Too many sessions are open. Close and clean some.", {
      retryAfterMs: 5_000,
    });
  }

  #sweep(): void {
    const now = Date.now();
    for (const session of this.#sessions.values()) {
      const idleMs = now - session.lastSeenAt;
      const left =
        session.status === "closed"
          ? session.closedAt !== null && now - session.closedAt >= closedTtlMs
          : idleMs >= this.#options.idleTtlMs && this.#mayLeave(session);
      if (left) this.#sessions.delete(session.session_id);
    }
  }

  /** Whether storage knows all of it. */
  #mayLeave(session: Session): boolean {
    return (
      session.status === "active" &&
      session.inFlight.size === 0 &&
      session.lostRows === 0 &&
      !this.#unrestored.has(session) &&
      !this.#recorder.hasRows(session.session_id)
    );
  }
}
