import { Continuity, type ContinuityOptions } from "../prompts/index.ts";

/** In bytes. A session that is pushed out is read again from its rows. */
const maxBytes = 256 * 1024 * 1024;

interface Held {
  readonly turns: Continuity;
  /** What it counts for in the sum. */
  bytes: number;
  /** When the turns of its rows are there. */
  readonly ready: Promise<void>;
}

/** The conversations of sessions with engines, as many as fit into memory; the least recently used go first. */
export class SessionTurns {
  /** For calls without a session, which continue nothing. */
  readonly once: Continuity = new Continuity({ thinking: "kept" });
  readonly #sessions = new Map<string, Map<string, Held>>();
  readonly #maxBytes: number;
  /** Of all sessions, each as of its last call: a step does not count those of others. */
  #bytes = 0;

  constructor(limit: number = maxBytes) {
    this.#maxBytes = limit;
  }

  /** @param load reads the turns that the session has stored, if it is not in memory */
  async of(
    session_id: string,
    model: string,
    options: ContinuityOptions,
    load: (turns: Continuity) => Promise<void>,
  ): Promise<Continuity> {
    const models = this.#sessions.get(session_id) ?? new Map<string, Held>();
    this.#sessions.delete(session_id);
    this.#sessions.set(session_id, models);
    const held = models.get(model) ?? begin(options, load);
    models.set(model, held);
    try {
      await held.ready;
    } catch (error) {
      // The next call tries again.
      if (models.get(model) === held) models.delete(model);
      throw error;
    }
    // It may have been pushed out or forgotten while it was read.
    if (this.#sessions.get(session_id) === models) {
      this.#bytes += held.turns.bytes - held.bytes;
      held.bytes = held.turns.bytes;
      this.#makeRoom(session_id);
    }
    return held.turns;
  }

  /** Null: the session was pushed out meanwhile. */
  find(session_id: string, model: string): Continuity | null {
    return this.#sessions.get(session_id)?.get(model)?.turns ?? null;
  }

  /** The session is closed. */
  forget(session_id: string): void {
    for (const { bytes } of this.#sessions.get(session_id)?.values() ?? []) this.#bytes -= bytes;
    this.#sessions.delete(session_id);
  }

  #makeRoom(latest: string): void {
    for (const session_id of this.#sessions.keys()) {
      if (this.#bytes <= this.#maxBytes || session_id === latest) return;
      this.forget(session_id);
    }
  }
}

function begin(options: ContinuityOptions, load: (turns: Continuity) => Promise<void>): Held {
  const turns = new Continuity(options);
  return { turns, bytes: 0, ready: load(turns) };
}
