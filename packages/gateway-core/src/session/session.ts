import type { SessionListItem, SessionStatusBody } from "@proj/gateway-protocol";
import type { EnvironmentRow, StoredModel } from "@proj/session-store";
import { GatewayError } from "../gateway-error.ts";
import { type Link, LinkedList } from "../linked-list.ts";
import type { Cancellation } from "../pipeline/cancellation.ts";
import { ModelTally } from "./model-tally.ts";
import { sessionMoved } from "./session-moved.ts";

export type SessionStatus = "active" | "closing" | "closed";

/** How a session's close went. */
export interface CloseRecord {
  reason: string | null;
  /** Every request that was in flight came to its own end. */
  drained: boolean;
  telemetry: "flushed" | "pending" | "lost";
  /** Rows of the session that will never be stored. */
  lost_rows: number;
  /** Requests were cut off, or rows were still unwritten when the time was up. */
  forced: boolean;
}

/** One session in memory: who is in flight, what was counted, whether it is open. */
export class Session {
  readonly session_id: string;
  readonly createdAt: number = Date.now();
  readonly models: Map<string, ModelTally> = new Map();
  readonly inFlight: LinkedList<Cancellation> = new LinkedList();
  status: SessionStatus = "active";
  environment: EnvironmentRow | null = null;
  lastSeenAt: number = this.createdAt;
  closedAt: number | null = null;
  close: CloseRecord | null = null;
  lostRows = 0;
  /** Of its binding to this gateway; null: it could not be bound yet. */
  epoch: number | null = null;
  /** Whether another gateway has taken it; this object of it is of no use any more. */
  hasMoved = false;
  /** When storage was last asked for the session's environment, in milliseconds since the epoch. */
  environmentAskedAt = 0;
  #onDrained: (() => void) | null = null;

  constructor(session_id: string) {
    this.session_id = session_id;
  }

  /** Another gateway has the session: nothing that is in flight here will be recorded. */
  move(): void {
    this.hasMoved = true;
    const reason = sessionMoved(this.session_id);
    for (const cancellation of [...this.inFlight]) cancellation.cancel(reason);
  }

  /** It was closed, at this gateway or another one, before it was opened here. */
  closedBefore(closed_at: string): void {
    this.status = "closed";
    this.closedAt = Date.parse(closed_at);
    this.close = { reason: null, drained: true, telemetry: "flushed", lost_rows: 0, forced: false };
  }

  /** Takes over what storage has counted. */
  restore(models: readonly StoredModel[]): void {
    for (const model of models) this.tally(model.model).restore(model);
  }

  tally(model: string): ModelTally {
    let tally = this.models.get(model);
    if (tally === undefined) {
      tally = new ModelTally();
      this.models.set(model, tally);
    }
    return tally;
  }

  /**
   * Takes a place among the requests in flight and returns how to leave it.
   * @throws GatewayError session_closed, session_moved
   */
  enter(cancellation: Cancellation): () => void {
    if (this.hasMoved) throw sessionMoved(this.session_id);
    if (this.status !== "active") {
      const why = this.close?.reason == null ? "" : ` (${this.close.reason})`;
      throw new GatewayError(
        "session_closed",
        `Session '${this.session_id}' is ${this.status}${why} and takes no more requests. Use another session.`,
      );
    }
    this.lastSeenAt = Date.now();
    const place = this.inFlight.append(cancellation);
    return () => this.#leave(place);
  }

  #leave(place: Link<Cancellation>): void {
    this.inFlight.remove(place);
    this.lastSeenAt = Date.now();
    if (this.inFlight.size > 0) return;
    this.#onDrained?.();
    this.#onDrained = null;
  }

  /** Resolves once no request is in flight. For one waiter: the session's close. */
  drained(): Promise<void> {
    if (this.inFlight.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onDrained = resolve;
    });
  }

  toListItem(): SessionListItem {
    return {
      session_id: this.session_id,
      status: this.status,
      created_at: new Date(this.createdAt).toISOString(),
      last_seen_at: new Date(this.lastSeenAt).toISOString(),
      in_flight: this.inFlight.size,
    };
  }

  toStatusBody(max_steps: number): SessionStatusBody {
    const { environment } = this;
    return {
      session_id: this.session_id,
      status: this.status,
      environment:
        environment === null
          ? null
          : {
              job_id: environment.job_id,
              simulation_id: environment.simulation_id,
              attempt: environment.attempt,
              env_name: environment.env_name,
              group_id: environment.group_id,
              status: environment.status,
            },
      created_at: new Date(this.createdAt).toISOString(),
      last_seen_at: new Date(this.lastSeenAt).toISOString(),
      closed_at: this.closedAt === null ? null : new Date(this.closedAt).toISOString(),
      close: this.close,
      in_flight: this.inFlight.size,
      models: Object.fromEntries(
        [...this.models].map(([model, tally]) => [model, tally.toStatusBody(max_steps)]),
      ),
      max_steps,
    };
  }
}
