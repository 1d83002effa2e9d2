import type { EnvironmentRow, JobStore } from "@proj/session-store";
import type { AbortCause } from "../simulation/run-attempt.ts";

interface Progress {
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** The attempts that this launcher is running, with the heartbeats that keep them its own. */
export class AttemptsInProgress {
  readonly #store: JobStore;
  readonly #owner: string;
  readonly #onEnd: () => void;
  readonly #running = new Map<string, Progress>();

  /** @param onEnd called when an attempt has ended and no longer counts */
  constructor(store: JobStore, owner: string, onEnd: () => void) {
    this.#store = store;
    this.#owner = owner;
    this.#onEnd = onEnd;
  }

  get size(): number {
    return this.#running.size;
  }

  /** @param run ends, without an error, when the attempt does or soon after an abort */
  begin(environment: EnvironmentRow, run: (signal: AbortSignal) => Promise<void>): void {
    const abort = new AbortController();
    const done = run(abort.signal).finally(() => {
      this.#running.delete(environment.session_id);
      this.#onEnd();
    });
    this.#running.set(environment.session_id, { abort, done });
  }

  async allEnded(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  abortAll(cause: AbortCause): void {
    for (const session_id of this.#running.keys()) this.#abort(session_id, cause);
  }

  /** Reports that this launcher is alive, and aborts attempts that no longer belong to it. */
  async heartbeat(): Promise<void> {
    if (this.size === 0) return;
    const lost = await this.#store.heartbeat(this.#owner, [...this.#running.keys()]);
    for (const session_id of lost) this.#abort(session_id, "lost");
  }

  #abort(session_id: string, cause: AbortCause): void {
    this.#running.get(session_id)?.abort.abort(cause);
  }
}
