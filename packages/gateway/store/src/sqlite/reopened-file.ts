import type { Database, Statement } from "better-sqlite3";

/**
 * A file that was opened again and may be an older state of the database: an `id` that callers know
 * must not be given to another row.
 */
export class ReopenedFile {
  readonly #move: Statement<[to: number, from: number]>;
  readonly #largest_id: number;
  readonly #after_id: number;

  /** @param after_id the largest `id` that callers know */
  constructor(database: Database, after_id: number) {
    this.#move = database.prepare("update stored_steps set id = ? where id = ?");
    const largest = database.prepare<[], number | null>("select max(id) from stored_steps");
    this.#largest_id = largest.pluck().get() ?? 0;
    this.#after_id = after_id;
  }

  /** Moves a row that was just stored to an `id` that callers cannot know, and returns that. Later rows follow it. */
  unusedId(id: number): number {
    if (id <= this.#largest_id || id > this.#after_id) return id;
    this.#move.run(this.#after_id + 1, id);
    return this.#after_id + 1;
  }
}
