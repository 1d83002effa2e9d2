import { Continuity, type ContinuityOptions } from "@proj/engines";

/** In bytes; a session that is pushed out renders its next prompt whole, and says so. */
const maxBytes = 256 * 1024 * 1024;

/** The conversations of sessions with engines, as many as fit into memory; the least recently used go first. */
export class SessionTurns {
  /** For calls without a session, which continue nothing. */
  readonly once: Continuity = new Continuity({ thinking: "kept" });
  readonly #sessions = new Map<string, Continuity>();
  readonly #maxBytes: number;

  constructor(limit: number = maxBytes) {
    this.#maxBytes = limit;
  }

  get size(): number {
    return this.#sessions.size;
  }

  of(session_id: string, model: string, options: ContinuityOptions): Continuity {
    const key = keyOf(session_id, model);
    const turns = this.#sessions.get(key) ?? new Continuity(options);
    this.#sessions.delete(key);
    this.#sessions.set(key, turns);
    this.#makeRoom(key);
    return turns;
  }

  has(session_id: string, model: string): boolean {
    return this.#sessions.has(keyOf(session_id, model));
  }

  /** The session has ended. */
  forget(session_id: string, models: Iterable<string>): void {
    for (const model of models) this.#sessions.delete(keyOf(session_id, model));
  }

  #makeRoom(latest: string): void {
    let bytes = 0;
    for (const turns of this.#sessions.values()) bytes += turns.bytes;
    for (const [key, turns] of this.#sessions) {
      if (bytes <= this.#maxBytes || key === latest) return;
      bytes -= turns.bytes;
      this.#sessions.delete(key);
    }
  }
}

const keyOf = (session_id: string, model: string): string => `${session_id}\n${model}`;
