import type { SessionState } from "@proj/gateway-protocol";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Session } from "./session.ts";
import type { LeaveReason } from "./session-context.ts";

const closedTtlMs = 24 * 60 * 60 * 1_000;

export interface ResidencyOptions {
  readonly maxSessions: number;
  readonly idleTtlMs: number;
  /** Called when a session that has had requests here leaves memory open. It may come back. */
  readonly onLeft: (session: Session, reason: LeaveReason) => void;
}

/** The sessions in memory, the longest idle first, and when they leave it. */
export class ResidentSessions {
  readonly #options: ResidencyOptions;
  readonly #sessions = new Map<string, Session>();
  /** When those closed sessions closed that had to leave, in milliseconds since the epoch, the first to leave first. */
  readonly #closedAt = new Map<string, number>();

  constructor(options: ResidencyOptions) {
    this.#options = options;
  }

  get(session_id: string): Session | undefined {
    return this.#sessions.get(session_id);
  }

  /** Whether this object, not another one of the same session, is in memory. */
  has(session: Session): boolean {
    return this.#sessions.get(session.session_id) === session;
  }

  all(): Iterable<Session> {
    return this.#sessions.values();
  }

  countByStatus(): Record<SessionState, number> {
    const count = { active: 0, closing: 0, closed: 0 };
    for (const session of this.#sessions.values()) count[session.status] += 1;
    return count;
  }

  add(session: Session): void {
    this.#sessions.set(session.session_id, session);
  }

  /** The session was used just now. */
  moveToEnd(session: Session): void {
    this.#sessions.delete(session.session_id);
    this.#sessions.set(session.session_id, session);
  }

  /** False if the session is unknown. */
  drop(session_id: string): boolean {
    const wasClosed = this.#closedAt.delete(session_id);
    return this.#sessions.delete(session_id) || wasClosed;
  }

  /** When a session closed that is no longer in memory, as ISO 8601; null: it is not known to have closed. */
  closedAt(session_id: string): string | null {
    const closedAt = this.#closedAt.get(session_id) ?? 0;
    return Date.now() - closedAt < closedTtlMs ? new Date(closedAt).toISOString() : null;
  }

  /**
   * Drops as many of the longest idle sessions as one more needs. Of a closed one only its close is remembered.
   * @param loading the number of sessions about to be added
   * @throws GatewayError overloaded
   */
  makeRoom(loading: number): void {
    let excess = this.#sessions.size + loading + 1 - this.#options.maxSessions;
    if (excess <= 0) return;
    for (const session of this.#sessions.values()) {
      if (!session.mayLeave && !session.mayBeForgotten) continue;
      this.#rememberClose(session);
      this.#leave(session);
      excess -= 1;
      if (excess === 0) return;
    }
    throw new GatewayError("overloaded", "Too many sessions are open. Close and clean some.", {
      retryAfterMs: 5_000,
    });
  }

  /** Drops sessions whose time is up. Returns the others without requests in flight. */
  dropIdle(): Session[] {
    const idle: Session[] = [];
    for (const session of this.#sessions.values()) {
      const leaves =
        session.status === "closed"
          ? session.closedMs >= closedTtlMs
          : session.idleMs >= this.#options.idleTtlMs && session.mayLeave;
      if (leaves) this.#leave(session);
      else if (session.inFlight === 0) idle.push(session);
    }
    return idle;
  }

  /** The gateway ends. */
  tellAllLeft(): void {
    for (const session of this.#sessions.values()) this.#tellLeft(session, "gateway_stopped");
  }

  #rememberClose({ session_id, status, closedMs }: Session): void {
    if (status !== "closed") return;
    this.#closedAt.set(session_id, Date.now() - closedMs);
    if (this.#closedAt.size <= this.#options.maxSessions) return;
    const [first] = this.#closedAt.keys();
    if (first !== undefined) this.#closedAt.delete(first);
  }

  #leave(session: Session): void {
    this.#sessions.delete(session.session_id);
    this.#tellLeft(session, "idle");
  }

  #tellLeft(session: Session, reason: LeaveReason): void {
    if (session.status !== "closed" && session.isUsed) this.#options.onLeft(session, reason);
  }
}
