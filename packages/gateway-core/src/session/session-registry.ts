import type { SessionState } from "@proj/gateway-protocol";
import type { SessionStore } from "@proj/session-store";
import type { Cancellation } from "../call/cancellation.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import { within } from "../waiting/within.ts";
import { readStorage } from "./read-storage.ts";
import { Session } from "./session.ts";
import type { LeaveReason, SessionContext } from "./session-context.ts";
import { SessionOwnership } from "./session-ownership.ts";

const closedTtlMs = 24 * 60 * 60 * 1_000;

export interface SessionRegistryOptions {
  readonly maxSessions: number;
  readonly idleTtlMs: number;
  /** Whether a session may open while storage does not answer; its counters are then loaded later. */
  readonly openWithoutStorage: boolean;
  /** Whether session keys exist, which a session's close ends. */
  readonly endsKeys: boolean;
  /** Longest wait of a close for requests in flight, in milliseconds. */
  readonly closeTimeoutMs: number;
  /** Longest wait for rows when a session is loaded or closed, in milliseconds. */
  readonly writeTimeoutMs: number;
  readonly onClosed: SessionContext["onClosed"];
  /** Called when a session that has had requests here leaves memory open. It may come back. */
  readonly onLeft: (session: Session, reason: LeaveReason) => void;
}

/** The sessions in memory, each loaded from storage once, the longest idle first. */
export class SessionRegistry {
  readonly #store: SessionStore;
  readonly #recorder: Recorder;
  readonly #ownership: SessionOwnership;
  readonly #options: SessionRegistryOptions;
  readonly #context: SessionContext;
  readonly #sessions = new Map<string, Session>();
  readonly #loading = new Map<string, Promise<Session>>();
  readonly #refreshing = new Map<Session, Promise<void>>();
  readonly #ending = new AbortController();
  readonly #sweeper: NodeJS.Timeout;

  constructor(store: SessionStore, recorder: Recorder, options: SessionRegistryOptions) {
    this.#store = store;
    this.#recorder = recorder;
    this.#options = options;
    const storesCloses = options.endsKeys || store.storage_type === "cloud";
    const ending = this.#ending.signal;
    this.#context = { ...options, store, recorder, storesCloses, ending };
    this.#ownership = new SessionOwnership(store, recorder, ({ session_id, epoch }) =>
      this.moved(session_id, epoch),
    );
    const sweepMs = Math.min(Math.max(options.idleTtlMs / 2, 50), 60_000);
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs).unref();
  }

  find(session_id: string): Session | null {
    return this.#sessions.get(session_id) ?? null;
  }

  all(): Iterable<Session> {
    return this.#sessions.values();
  }

  countByStatus(): Record<SessionState, number> {
    const count = { active: 0, closing: 0, closed: 0 };
    for (const session of this.#sessions.values()) count[session.status] += 1;
    return count;
  }

  /**
   * The session with its counters and, once storage has one, its environment.
   * @param since when its first request came, in milliseconds since the epoch
   * @throws GatewayError telemetry_unavailable, overloaded, session_moved
   */
  open(session_id: string, since: number = Date.now()): Session | Promise<Session> {
    const session = this.#sessions.get(session_id);
    const isKnown = session?.isFresh === true && !this.#ownership.isShared;
    return isKnown ? session : this.#open(session_id, since);
  }

  async #open(session_id: string, since: number): Promise<Session> {
    for (;;) {
      const known = this.#sessions.get(session_id);
      if (known !== undefined && (await this.#ownership.isClosedElsewhere(known))) continue;
      const session = known ?? (await this.#load(session_id, since));
      if (session.isFresh) return session;
      await this.#refresh(session);
      // It may have left memory meanwhile, and been replaced by another object.
      if (this.#sessions.get(session_id) === session) return session;
    }
  }

  /**
   * Takes a place among the requests in flight, in the turn that opened the session; returns how to leave.
   * @throws GatewayError session_closed
   */
  enter(session: Session, cancellation: Cancellation): () => void {
    const { session_id } = session;
    const leave = session.enter(cancellation);
    // #makeRoom may have dropped the session in this turn of the event loop.
    if (this.#sessions.get(session_id) !== session) this.#sessions.set(session_id, session);
    return () => {
      leave();
      if (this.#sessions.get(session_id) !== session) return;
      // Moves it to the end of the map, which is ordered by use.
      this.#sessions.delete(session_id);
      this.#sessions.set(session_id, session);
    };
  }

  /** The session in memory, if it has loaded everything that storage knows. */
  findRestored(session_id: string): Session | null {
    const session = this.find(session_id);
    return session?.isRestored === true ? session : null;
  }

  /** Drops from memory those sessions that other gateways have taken. */
  letGoOfMoved(sessions: readonly Session[]): Promise<void> {
    return this.#ownership.letGoOfMoved(sessions.filter(({ status }) => status === "active"));
  }

  /** Drops a session that another gateway has taken: the next request binds it again. */
  moved(session_id: string, epoch: number | null): void {
    const session = this.#sessions.get(session_id);
    if (session === undefined || session.epoch !== epoch) return;
    this.#sessions.delete(session_id);
    session.moved();
  }

  /**
   * Drops a closed session. False if the session is unknown.
   * @throws GatewayError session_not_closed, storage_unavailable
   */
  async clean(session_id: string): Promise<boolean> {
    const session = this.#sessions.get(session_id);
    if (session !== undefined && session.status !== "closed")
      throw new GatewayError(
        "session_not_closed",
        `Session '${session_id}' is ${session.status}. Close it, and clean it once it is closed.`,
      );
    if (this.#context.storesCloses) await readStorage(this.#store.reopenSession(session_id));
    return session !== undefined && this.#sessions.delete(session_id);
  }

  /**
   * Refuses a request before its body is read, as far as the session is known here.
   * @param issued_at when the key was made, in seconds since the epoch; null: no close ends it for good
   * @throws GatewayError session_closed
   */
  checkOpen(session_id: string, issued_at: number | null): void {
    const session = this.#sessions.get(session_id);
    session?.checkOpen();
    session?.keys.check(session_id, issued_at);
  }

  dispose(): void {
    this.#ending.abort();
    clearInterval(this.#sweeper);
    for (const session of this.#sessions.values()) this.#tellLeft(session, "gateway_stopped");
  }

  #load(session_id: string, since: number): Promise<Session> {
    const known = this.#loading.get(session_id);
    if (known !== undefined) return known;
    const loading = this.#read(session_id, since).finally(() => this.#loading.delete(session_id));
    this.#loading.set(session_id, loading);
    return loading;
  }

  async #read(session_id: string, since: number): Promise<Session> {
    this.#makeRoom();
    const session = new Session(session_id, this.#context, since);
    try {
      await this.#restore(session);
    } catch (error) {
      this.#ownership.askForStorage();
      if (!this.#options.openWithoutStorage)
        throw new GatewayError(
          "telemetry_unavailable",
          "The session cannot be read from storage. Try again.",
          { cause: error, retryAfterMs: 1_000 },
        );
      session.asks();
    }
    this.#sessions.set(session_id, session);
    return session;
  }

  /** Waits first for the session's own rows on their way into storage, so that counts include them. */
  async #restore(session: Session): Promise<void> {
    const { session_id } = session;
    if (!(await within(this.#recorder.drained(session_id), this.#options.writeTimeoutMs)))
      throw new Error("rows of the session are still waiting to be written");
    // Bind before reading: afterwards, no other gateway can store anything more for the session.
    const binding = await this.#store.bindSession(session_id);
    const { models, environment, fork } = await this.#store.readSession(session_id);
    session.restore({ ...binding, models, fork });
    session.bind(environment);
  }

  /** Asks storage again for what was missing: one query per session at a time. No caller fails if it does. */
  #refresh(session: Session): Promise<void> {
    let refreshing = this.#refreshing.get(session);
    if (refreshing === undefined) {
      session.asks();
      const asked = session.isRestored
        ? this.#store.readEnvironment(session.session_id).then((row) => session.bind(row))
        : this.#restore(session);
      refreshing = asked.catch(() => {}).finally(() => this.#refreshing.delete(session));
      this.#refreshing.set(session, refreshing);
    }
    return refreshing;
  }

  #makeRoom(): void {
    let excess = this.#sessions.size + this.#loading.size + 1 - this.#options.maxSessions;
    if (excess <= 0) return;
    for (const session of this.#sessions.values()) {
      if (!session.mayLeave) continue;
      this.#sessions.delete(session.session_id);
      this.#tellLeft(session, "idle");
      excess -= 1;
      if (excess === 0) return;
    }
    throw new GatewayError("overloaded", "Too many sessions are open. Close and clean some.", {
      retryAfterMs: 5_000,
    });
  }

  #sweep(): void {
    const idle: Session[] = [];
    for (const session of this.#sessions.values()) {
      const left =
        session.status === "closed"
          ? session.closedMs >= closedTtlMs
          : session.idleMs >= this.#options.idleTtlMs && session.mayLeave;
      if (left) {
        this.#sessions.delete(session.session_id);
        this.#tellLeft(session, "idle");
      } else if (session.inFlight === 0) idle.push(session);
    }
    void this.letGoOfMoved(idle);
  }

  #tellLeft(session: Session, reason: LeaveReason): void {
    if (session.status !== "closed" && session.isUsed) this.#options.onLeft(session, reason);
  }
}
