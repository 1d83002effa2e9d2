import { Continuity, type ContinuityOptions } from "../prompts/index.ts";

/** In bytes. A session that is pushed out is read again from its rows. */
const maxBytes = 256 * 1024 * 1024;

interface Held {
  readonly turns: Continuity;
  /** When the turns of its rows are there. */
  readonly ready: Promise<void>;
}

/** The conversations of sessions with engines, as many as fit into memory; the least recently used go first. */
export class SessionTurns {
  /** For calls without a session, which continue nothing. */
  readonly once: Continuity = new Continuity({ thinking: "kept" });
  readonly #sessions = new Map<string, Map<string, Held>>();
  readonly #maxBytes: number;

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
    this.#makeRoom(session_id);
    try {
      await held.ready;
    } catch (error) {
      // The next call tries again.
      if (models.get(model) === held) models.delete(model);
      throw error;
    }
    return held.turns;
  }

  /** Null: the session was pushed out meanwhile. */
  find(session_id: string, model: string): Continuity | null {
    return this.#sessions.get(session_id)?.get(model)?.turns ?? null;
  }

  /** The session is closed. */
  forget(session_id: string): void {
    this.#sessions.delete(session_id);
  }

  #makeRoom(latest: string): void {
    let bytes = 0;
    for (const models of this.#sessions.values()) bytes += bytesOf(models);
    for (const [session_id, models] of this.#sessions) {
      if (bytes <= this.#maxBytes || session_id === latest) return;
      bytes -= bytesOf(models);
      this.#sessions.delete(session_id);
    }
  }
}

function begin(options: ContinuityOptions, load: (turns: Continuity) => Promise<void>): Held {
  const turns = new Continuity(options);
  return { turns, ready: load(turns) };
}

const bytesOf = (models: ReadonlyMap<string, Held>): number =>
  [...models.values()].reduce((sum, { turns }) => sum + turns.bytes, 0);
