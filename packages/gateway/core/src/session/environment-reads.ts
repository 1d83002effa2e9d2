import { setImmediate as turn } from "node:timers/promises";
import type { EnvironmentRow, SessionStore } from "@proj/session-store";

/**
 * Reads the environments of sessions: of all that are asked for in one turn of the event loop with one query. Agents
 * that were answered together continue together.
 */
export class EnvironmentReads {
  readonly #store: Pick<SessionStore, "findEnvironments">;
  #session_ids: string[] = [];
  #next: Promise<ReadonlyMap<string, EnvironmentRow>> | null = null;

  constructor(store: Pick<SessionStore, "findEnvironments">) {
    this.#store = store;
  }

  /** Null: there is none. */
  async read(session_id: string): Promise<EnvironmentRow | null> {
    this.#session_ids.push(session_id);
    this.#next ??= this.#readNext();
    return (await this.#next).get(session_id) ?? null;
  }

  async #readNext(): Promise<ReadonlyMap<string, EnvironmentRow>> {
    await turn();
    const session_ids = this.#session_ids;
    this.#session_ids = [];
    this.#next = null;
    const rows = await this.#store.findEnvironments(session_ids);
    return new Map(rows.map((row) => [row.session_id, row]));
  }
}
