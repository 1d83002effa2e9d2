import type { SessionStore } from "@proj/session-store";
import { GatewayError } from "../gateway-error.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import { within } from "../within.ts";
import { Session, type SessionStatus } from "./session.ts";

const environmentRetryMs = 1_000;
const closedTtlMs = 24 * 60 * 60 * 1_000;

export interface SessionRegistryOptions {
  readonly maxSessions: number;
  readonly idleTtlMs: number;
  /** Whether a session may open although storage does not answer: its counters are taken over later. */
  readonly openWithoutStorage: boolean;
  /** Longest wait for storage when a session is loaded. */
  readonly loadTimeoutMs: number;
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
  async open(session_id: string): Promise<Session> {
    const session = this.#sessions.get(session_id) ?? (await this.#load(session_id));
    // Moved to the end: the order of the map is that of use.
    if (this.#sessions.delete(session_id)) this.#sessions.set(session_id, session);
    const due = Date.now() - session.environmentAskedAt >= environmentRetryMs;
    if (due && (session.environment === null || this.#unrestored.has(session)))
      await this.#refresh(session);
    return session;
  }

  /** Lets go of a closed session. False where the session is unknown. @throws GatewayError session_not_closed */
  clean(session_id: string): boolean {
    const session = this.#sessions.get(session_id);
    if (session === undefined) return false;
    if (session.status !== "closed")
      throw new GatewayError(
        "session_not_closed",
        `Session '${session_id}' is ${session.status}. Close it, and clean it once it is closed.`,
      );
    return this.#sessions.delete(session_id);
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
    if (!(await within(this.#recorder.drained(session_id), this.#options.loadTimeoutMs)))
      throw new Error("rows of the session still wait to be written");
    session.restore(await this.#store.readSession(session_id));
    this.#unrestored.delete(session);
  }

  /** Asks again for what was not there; one question at a time, and no answer stops nobody. */
  #refresh(session: Session): Promise<void> {
    let refreshing = this.#refreshing.get(session);
    if (refreshing === undefined) {
      session.environmentAskedAt = Date.now();
      const asked = this.#unrestored.has(session)
        ? this.#restore(session)
        : this.#store
            .readEnvironment(session.session_id)
            .then((row) => session.bindEnvironment(row));
      refreshing = asked.catch(() => {}).finally(() => this.#refreshing.delete(session));
      this.#refreshing.set(session, refreshing);
    }
    return refreshing;
  }

  #makeRoom(): void {
    if (this.#sessions.size < this.#options.maxSessions) return;
    for (const session of this.#sessions.values())
      if (this.#mayLeave(session)) {
        this.#sessions.delete(session.session_id);
        return;
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

  #mayLeave(session: Session): boolean {
    return (
      session.status === "active" &&
      session.inFlight.size === 0 &&
      !this.#unrestored.has(session) &&
      !this.#recorder.hasRows(session.session_id)
    );
  }
}
