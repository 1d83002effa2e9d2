import type { RowPage, StoredRow } from "@proj/session-store";
import type { Source } from "../data/source.ts";

const outlinePage = 1000;
const payloadPage = 20;
/** How many rows keep their payloads; each holds at most three columns of limited size. */
const mostPayloads = 400;

/** A session's rows: all of them without their payloads, and with payloads those that were looked at. */
export class SessionRows {
  readonly #source: Source;
  readonly #path: string;
  readonly #onChange: () => void;
  readonly #payloads = new Map<number, StoredRow>();
  readonly #asked = new Set<number>();
  #rows: StoredRow[] = [];
  #indexes = new Map<number, number>();
  isComplete = false;

  /** @param path the session's path */
  constructor(source: Source, path: string, onChange: () => void) {
    this.#source = source;
    this.#path = path;
    this.#onChange = onChange;
  }

  get all(): readonly StoredRow[] {
    return this.#rows;
  }

  /** Position of the row with this `id`; -1: there is none. */
  indexOf(id: number): number {
    return this.#indexes.get(id) ?? -1;
  }

  /** The row with its payload; null: not read yet. */
  whole(index: number): StoredRow | null {
    const row = this.#rows[index];
    return row === undefined ? null : (this.#payloads.get(row.id) ?? null);
  }

  /** Reads all rows, or those that were stored since the last read. */
  async readOn(signal: AbortSignal): Promise<void> {
    for (;;) {
      const after = this.#rows.at(-1)?.id ?? 0;
      const page = await this.#source.ask<RowPage>(
        `${this.#path}/rows?after=${after}&limit=${outlinePage}`,
        signal,
      );
      this.add(page.rows);
      this.isComplete = page.next_after === null;
      this.#onChange();
      if (this.isComplete) return;
    }
  }

  /** Adds new rows; known rows are replaced if they bring a payload. */
  add(rows: readonly StoredRow[]): void {
    const added = rows.filter(({ id }) => !this.#indexes.has(id));
    // Rows that the gateway sends may arrive before rows that were asked for.
    const isInOrder = (added[0]?.id ?? 0) > (this.#rows.at(-1)?.id ?? -1);
    const all = this.#rows.concat(added);
    this.#rows = isInOrder ? all : all.sort((one, other) => one.id - other.id);
    if (isInOrder) for (const row of added) this.#indexes.set(row.id, this.#indexes.size);
    else this.#indexes = new Map(this.#rows.map(({ id }, index) => [id, index]));
    for (const row of rows) if (row.messages !== null || row.response !== null) this.#keep(row);
  }

  /** Reads the payloads of a row and its neighbours, if they are missing. */
  async read(index: number, signal: AbortSignal): Promise<void> {
    const first = Math.max(0, index - (index % payloadPage));
    if (this.#asked.has(first) || this.whole(index) !== null) return;
    this.#asked.add(first);
    try {
      const last = Math.min(first + payloadPage, this.#rows.length) - 1;
      for (let at = first; at <= last; ) {
        const after = (this.#rows[at]?.id ?? 1) - 1;
        const page = await this.#source.ask<RowPage>(
          `${this.#path}/rows?payload=true&after=${after}&limit=${last - at + 1}`,
          signal,
        );
        for (const row of page.rows) this.#keep(row);
        if (page.rows.length === 0) break;
        at += page.rows.length;
      }
      this.#onChange();
    } finally {
      this.#asked.delete(first);
    }
  }

  #keep(row: StoredRow): void {
    this.#payloads.delete(row.id);
    this.#payloads.set(row.id, row);
    for (const oldest of this.#payloads.keys()) {
      if (this.#payloads.size <= mostPayloads) return;
      this.#payloads.delete(oldest);
    }
  }
}
