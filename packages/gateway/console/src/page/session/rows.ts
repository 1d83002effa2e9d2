import type { RowPage, StoredRow } from "@proj/session-store";
import type { Source, WholeSteps } from "../data/source.ts";
import { type Base, BaseFinder, rebased } from "./find-base.ts";
import { factsOf } from "./step-facts.ts";

const outlinePage = 1000;
const payloadPage = 20;
/** How many rows keep their payloads; each holds at most three columns of limited size. */
const maxPayloads = 400;
/** How much of whole histories is read, in characters, to find out which rows continue others. */
const maxCompared = 100_000_000;
/** A shorter history is remembered while rows are compared. */
const maxBeginning = 50_000;

/** A session's rows: all of them without their payloads, and with payloads those that were looked at. */
export class SessionRows {
  readonly #source: Source;
  readonly #path: string;
  readonly #onChange: () => void;
  readonly #payloads = new Map<number, StoredRow>();
  readonly #asked = new Set<number>();
  /** Of rows that were stored whole, although they continue others. */
  readonly #bases = new Map<number, Base>();
  readonly #finder = new BaseFinder();
  /** How many rows the finder has seen. */
  #examined = 0;
  #search: Promise<void> = Promise.resolve();
  #toCompare = maxCompared;
  /** The histories with which conversations begin, by row. */
  readonly #beginnings = new Map<number, string | null>();
  #rows: StoredRow[] = [];
  #indexes = new Map<number, number>();
  readonly #ids = new Map<string, number>();
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

  /** The row that this one continues, by its bytes or because it says so; null: none, or it is not known. */
  baseOf(row: StoredRow): StoredRow | null {
    const { continues } = factsOf(row);
    const id = continues === null ? row.messages_base : this.#ids.get(continues.request_id ?? "");
    return this.#rows[this.indexOf(id ?? 0)] ?? null;
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
      if (this.isComplete) return this.#findBases(signal);
    }
  }

  /** Adds new rows; known rows are replaced if they bring a payload. */
  add(rows: readonly StoredRow[]): void {
    const added = rows.filter(({ id }) => !this.#indexes.has(id));
    // Rows that the gateway sends may arrive before rows that were asked for.
    const isInOrder = (added[0]?.id ?? 0) > (this.#rows.at(-1)?.id ?? -1);
    for (const { request_id, id } of added) this.#ids.set(request_id, id);
    const all = this.#rows.concat(added);
    this.#rows = isInOrder ? all : all.sort((one, other) => one.id - other.id);
    if (isInOrder) for (const row of added) this.#indexes.set(row.id, this.#indexes.size);
    else this.#indexes = new Map(this.#rows.map(({ id }, index) => [id, index]));
    for (const row of rows) if (row.messages !== null || row.response !== null) this.#keep(row);
  }

  /** Adds new rows of a session that is followed. */
  async follow(rows: readonly StoredRow[], signal: AbortSignal): Promise<void> {
    this.add(rows);
    this.#onChange();
    if (this.isComplete) await this.#findBases(signal);
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

  /** One search at a time, because it examines rows in order. */
  #findBases(signal: AbortSignal): Promise<void> {
    const search = (): Promise<void> => this.#examineRows(signal);
    this.#search = this.#search.then(search, search);
    return this.#search;
  }

  async #examineRows(signal: AbortSignal): Promise<void> {
    const found = new Map<number, Base>();
    const historyOf = (row: StoredRow): Promise<string | null> => this.#readHistory(row, signal);
    try {
      for (let at = this.#examined; at < this.#rows.length; at = this.#examined) {
        const row = this.#rows[at];
        this.#examined += 1;
        if (row === undefined || this.#toCompare <= 0) continue;
        // Without a pause for rows that were stored with their base, which are almost all.
        const base = row.messages_base === null ? await this.#finder.find(row, historyOf) : null;
        if (base !== null) found.set(row.id, base);
        this.#finder.add(base === null ? row : rebased(row, base));
      }
    } finally {
      this.#beginnings.clear();
      // All at once: each change has the view compute all branches again.
      if (found.size > 0) this.#rebase(found);
    }
  }

  async #readHistory({ id }: StoredRow, signal: AbortSignal): Promise<string | null> {
    const known = this.#beginnings.get(id);
    if (known !== undefined) return known;
    const path = `${this.#path}/steps?after=${id - 1}&limit=1`;
    const answer = this.#source.ask<WholeSteps>(path, signal);
    const { steps } = await answer.catch((error: unknown): WholeSteps => {
      if (signal.aborted) throw error;
      // A session's own key does not open whole histories, for example: rows stay as they are stored.
      this.#toCompare = 0;
      return { steps: [] };
    });
    const history = steps.find((step) => step.id === id)?.messages ?? null;
    const length = history?.length ?? 0;
    this.#toCompare -= length;
    // Every later conversation is compared with the beginning of those before.
    if (length < maxBeginning) this.#beginnings.set(id, history);
    return history;
  }

  #rebase(found: ReadonlyMap<number, Base>): void {
    const onBase = (row: StoredRow): StoredRow => {
      const base = found.get(row.id);
      return base === undefined ? row : rebased(row, base);
    };
    this.#rows = this.#rows.map(onBase);
    for (const [id, base] of found) {
      this.#bases.set(id, base);
      const payload = this.#payloads.get(id);
      if (payload !== undefined) this.#payloads.set(id, onBase(payload));
    }
    this.#onChange();
  }

  #keep(stored: StoredRow): void {
    const base = this.#bases.get(stored.id);
    const row = base === undefined ? stored : rebased(stored, base);
    this.#payloads.delete(row.id);
    this.#payloads.set(row.id, row);
    for (const oldest of this.#payloads.keys()) {
      if (this.#payloads.size <= maxPayloads) return;
      this.#payloads.delete(oldest);
    }
  }
}
