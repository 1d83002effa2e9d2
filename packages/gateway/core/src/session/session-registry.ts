import type { SessionState } from "@proj/gateway-protocol";
import type { SessionStore } from "@proj/session-store";
import type { Cancellation } from "../call/cancellation.ts";
import type { RunningCall } from "../call/stage.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import { within } from "../waiting/within.ts";
import { EnvironmentReads } from "./environment-reads.ts";
import { readStorage } from "./read-storage.ts";
import { type ResidencyOptions, ResidentSessions } from "./resident-sessions.ts";
import { Session } from "./session.ts";
import type { SessionContext } from "./session-context.ts";
import { SessionOwnership } from "./session-ownership.ts";

export interface SessionRegistryOptions extends ResidencyOptions {
  /** Whether a session may open while storage does not answer; its counters are then loaded later. */
  readonly openWithoutStorage: boolean;
  /** Whether session keys exist, which a session's close ends. */
  readonly endsKeys: boolean;
  /** Longest wait of a close for requests in flight, in milliseconds. */
  readonly closeTimeoutMs: number;
  /** Longest wait for rows when a session is loaded or closed, in milliseconds. */
  readonly writeTimeoutMs: number;
  readonly onClosed: SessionContext["onClosed"];
  /** Another gateway has the session, or the database went back: no row may build on what is known of it here. */
  readonly onMoved: (session_id: string) => void;
}

/** Finds sessions: in memory, or loaded from storage once. */
export class SessionRegistry {
  readonly #store: SessionStore;
  readonly #recorder: Recorder;
  readonly #ownership: SessionOwnership;
  readonly #environments: EnvironmentReads;
  readonly #options: SessionRegistryOptions;
  readonly #context: SessionContext;
  readonly #sessions: ResidentSessions;
  readonly #loading = new Map<string, Promise<Session>>();
  readonly #refreshing = new Map<Session, Promise<void>>();
  readonly #ending = new AbortController();
  readonly #sweeper: NodeJS.Timeout;
  #isSweeping = false;

  constructor(store: SessionStore, recorder: Recorder, options: SessionRegistryOptions) {
    this.#store = store;
    this.#environments = new EnvironmentReads(store);
    this.#recorder = recorder;
    this.#options = options;
    this.#sessions = new ResidentSessions(options);
    const storesCloses = options.endsKeys || store.isShared;
    const ending = this.#ending.signal;
    this.#context = { ...options, store, recorder, storesCloses, ending };
    this.#ownership = new SessionOwnership(store, recorder, ({ session_id, epoch }) =>
      this.moved(session_id, epoch),
    );
    const sweepMs = Math.min(Math.max(options.idleTtlMs / 2, 50), 60_000);
    this.#sweeper = setInterval(() => void this.#sweep(), sweepMs).unref();
  }

  find(session_id: string): Session | null {
    return this.#sessions.get(session_id) ?? null;
  }

  all(): Iterable<Session> {
    return this.#sessions.all();
  }

  countByStatus(): Record<SessionState, number> {
    return this.#sessions.countByStatus();
  }

  /**
   * The session with its counters and, once storage has one, its environment.
   * @param since when its first request came, in milliseconds since the epoch
   * @throws GatewayError telemetry_unavailable, overloaded, session_moved
   */
  open(session_id: string, since: number = Date.now()): Session | Promise<Session> {
    const session = this.#sessions.get(session_id);
    const isKnown = session?.isFresh === true && !this.#store.isShared;
    return isKnown ? session : this.#open(session_id, since);
  }

  async #open(session_id: string, since: number): Promise<Session> {
    for (;;) {
      const known = this.#sessions.get(session_id);
      if (known !== undefined && (await this.#ownership.isToBeLoaded(known))) continue;
      const session = known ?? (await this.#load(session_id, since));
      if (session.isFresh) return session;
      await this.#refresh(session);
      // It may have left memory meanwhile, and been replaced by another object.
      if (this.#sessions.has(session)) return session;
    }
  }

  /**
   * Takes a place among the requests in flight, in the turn that opened the session; returns how to leave.
   * @param running what the session's followers see of the request; null: nothing
   * @throws GatewayError session_closed
   */
  enter(
    session: Session,
    cancellation: Cancellation,
    running: RunningCall | null = null,
  ): () => void {
    const leave = session.enter(cancellation, running);
    // To make room, it may have been dropped in this turn of the event loop.
    if (!this.#sessions.has(session)) this.#sessions.add(session);
    return () => {
      leave();
      if (this.#sessions.has(session)) this.#sessions.moveToEnd(session);
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
    this.#sessions.drop(session_id);
    session.moved();
    this.#options.onMoved(session_id);
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
    return this.#sessions.drop(session_id);
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
    this.#sessions.tellAllLeft();
  }

  #load(session_id: string, since: number): Promise<Session> {
    const known = this.#loading.get(session_id);
    if (known !== undefined) return known;
    const loading = this.#read(session_id, since).finally(() => this.#loading.delete(session_id));
    this.#loading.set(session_id, loading);
    return loading;
  }

  async #read(session_id: string, since: number): Promise<Session> {
    this.#sessions.makeRoom(this.#loading.size);
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
    this.#sessions.add(session);
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
    const closed_at = binding.closed_at ?? this.#sessions.closedAt(session_id);
    session.restore({ ...binding, closed_at, models, fork });
    session.bind(environment);
  }

  /** Asks storage again for what was missing: one query per session at a time. No caller fails if it does. */
  #refresh(session: Session): Promise<void> {
    let refreshing = this.#refreshing.get(session);
    if (refreshing === undefined) {
      session.asks();
      const asked = session.isRestored
        ? this.#environments.read(session.session_id).then((row) => session.bind(row))
        : this.#restore(session);
      refreshing = asked.catch(() => {}).finally(() => this.#refreshing.delete(session));
      this.#refreshing.set(session, refreshing);
    }
    return refreshing;
  }

  async #sweep(): Promise<void> {
    const idle = this.#sessions.dropIdle();
    // While storage is slow, one sweep asks it, not one more at each interval.
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    try {
      await this.letGoOfMoved(idle);
    } finally {
      this.#isSweeping = false;
    }
  }
}
