import type { TableAction } from "@proj/trading-client/wire";

/**
 * The rows of a table as pushed: the same rows that a client's mirror holds and a snapshot shows.
 */
export class LiveTable<Row extends object, Key extends string | number> {
  readonly #rows = new Map<Key, Row>();
  readonly #identify: (row: Row) => Partial<Row>;
  readonly #push: (record: Partial<Row> & { readonly action: TableAction }) => void;
  /** Inserts that have not been taken yet. */
  readonly #inserted = new Map<Key, Partial<Row>>();

  /**
   * @param identify the fields in every push: `t` and the key
   * @param push called with the changes, in order
   */
  constructor(
    identify: (row: Row) => Partial<Row>,
    push: (record: Partial<Row> & { readonly action: TableAction }) => void,
  ) {
    this.#identify = identify;
    this.#push = push;
  }

  get rows(): ReadonlyMap<Key, Row> {
    return this.#rows;
  }

  insert(key: Key, row: Row): void {
    this.#rows.set(key, row);
    const record = { ...row, action: "I" } as const;
    this.#inserted.set(key, record);
    this.#push(record);
  }

  /** Adds what happened to a row before its insert has been taken. */
  amendInsert(key: Key, fields: Partial<Row>): void {
    const record = this.#inserted.get(key);
    if (record !== undefined) Object.assign(record, fields);
  }

  /** The inserts have been taken. */
  forgetInserts(): void {
    this.#inserted.clear();
  }

  /** Pushes the changed fields, if any, plus `always`, changed or not. */
  update(key: Key, row: Row, always?: Partial<Row>): void {
    const before = this.#rows.get(key);
    if (before === undefined) return;
    const changed = differences(before, row);
    if (changed === null && always === undefined) return;
    this.#rows.set(key, row);
    this.#push({ ...this.#identify(row), ...changed, ...always, action: "U" });
  }

  /** @param last final values to push with the deletion */
  remove(key: Key, last?: Partial<Row>): void {
    const row = this.#rows.get(key);
    if (row === undefined) return;
    this.#rows.delete(key);
    this.#push({ ...this.#identify(row), ...last, action: "D" });
  }
}

/** The members of `after` that are missing from `before` or differ; null: none. */
function differences<Row extends object>(before: Row, after: Row): Partial<Row> | null {
  let changed: Partial<Row> | null = null;
  for (const name in after) {
    if (after[name] === before[name]) continue;
    changed ??= {};
    changed[name] = after[name];
  }
  return changed;
}
