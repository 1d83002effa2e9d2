import type { Database, Statement } from "better-sqlite3";
import type { LargeValue, Payload } from "../large-values.ts";

/** Writes large values, and where they belong, inside a transaction that the caller has begun. */
export class ValueWriter {
  readonly #store: Statement<[scope: string, sha256: string, content: Uint8Array]>;
  readonly #place: Statement<(string | number)[]>;
  readonly #forget: Statement<[row_id: number, payload: Payload]>;

  constructor(database: Database) {
    this.#store = database.prepare(
      "insert into stored_values (scope, sha256, content) values (?, ?, cast(? as text)) on conflict do nothing",
    );
    this.#place = database.prepare(
      `insert into step_values (row_id, payload, position, rest_start, rest_end, bytes, scope, sha256)
        values (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#forget = database.prepare("delete from step_values where row_id = ? and payload = ?");
  }

  store(scope: string, values: readonly LargeValue[]): void {
    for (const { sha256, content } of values) this.#store.run(scope, sha256, content);
  }

  place(row_id: number, scope: string, values: readonly LargeValue[]): void {
    for (const { payload, position, rest_start, rest_end, content, sha256 } of values) {
      const place = [row_id, payload, position, rest_start, rest_end];
      this.#place.run(...place, content.length, scope, sha256);
    }
  }

  /** For a row whose answer is replaced. */
  forgetAnswer(row_id: number): void {
    this.#forget.run(row_id, "response");
  }
}
