import type { SessionBinding, SessionStore } from "@proj/session-store";
import { sessionMoved } from "../errors/gateway-error.ts";
import type { Recorder } from "../telemetry/recorder.ts";
import type { Session } from "./session.ts";

/** Idle sessions checked in one query, so that a request never waits behind many. */
const idleAtOnce = 100;

/** Finds the sessions in memory that another gateway has taken. */
export class SessionOwnership {
  readonly #store: SessionStore;
  readonly #recorder: Recorder;
  readonly #letGo: (session: Session) => void;

  /** @param letGo drops a session from memory that another gateway has taken */
  constructor(store: SessionStore, recorder: Recorder, letGo: (session: Session) => void) {
    this.#store = store;
    this.#recorder = recorder;
    this.#letGo = letGo;
  }

  /**
   * Checked before anything is forwarded, so that the model is not asked in vain. A session that has moved, or that
   * a database that went back no longer knows, is dropped.
   * @returns whether it is to be loaded again; false: it is still ours, as far as storage can tell
   * @throws GatewayError session_moved: another gateway has it, and it is open
   */
  async isToBeLoaded(session: Session): Promise<boolean> {
    const binding = await this.#foreignBinding(session);
    if (binding === "ours") return false;
    this.#letGo(session);
    if (binding !== null && binding.closed_at === null) throw sessionMoved(session.session_id);
    return true;
  }

  /** Null: storage no longer knows the session. */
  async #foreignBinding({ session_id, epoch }: Session): Promise<SessionBinding | null | "ours"> {
    if (!this.#store.isShared || epoch === null || this.#recorder.failure !== null) return "ours";
    try {
      const binding = await this.#store.readBinding(session_id);
      return binding?.epoch === epoch ? "ours" : binding;
    } catch {
      this.askForStorage();
      return "ours";
    }
  }

  /** For sessions without requests in flight, which would notice it themselves. */
  async letGoOfMoved(sessions: readonly Session[]): Promise<void> {
    if (!this.#store.isShared) return;
    for (let start = 0; start < sessions.length; start += idleAtOnce) {
      const some = sessions.slice(start, start + idleAtOnce);
      const look = async (session: Session): Promise<void> => {
        if ((await this.#foreignBinding(session)) !== "ours") this.#letGo(session);
      };
      await Promise.all(some.map(look));
    }
  }

  /** A call to storage failed: finds out whether storage is unavailable, and readiness must say so. */
  askForStorage(): void {
    void this.#store.ping().catch((failure) => this.#recorder.unreachable(failure));
  }
}
