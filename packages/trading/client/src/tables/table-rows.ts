import { idOf } from "../reading/answer-fields.ts";
import type { JsonObject } from "../reading/json-objects.ts";
import { type TableModel, tables } from "../wire/index.ts";
import { createFieldReader, type FieldReader } from "./read-fields.ts";
import type { TableChange } from "./table-change.ts";
import type { TableRow } from "./table-row.ts";

/** A mirror of a table: a snapshot with pushes applied to it. */
export class TableRows<Model extends TableModel> {
  readonly #model: Model;
  readonly #readFields: FieldReader;
  readonly #rows = new Map<string, JsonObject>();

  constructor(model: Model) {
    this.#model = model;
    this.#readFields = createFieldReader(model);
  }

  /** Rows by their key field as text. */
  get rows(): ReadonlyMap<string, TableRow<Model>> {
    const rows: unknown = this.#rows;
    return rows as ReadonlyMap<string, TableRow<Model>>;
  }

  /**
   * Applies a pushed record.
   * @returns null: it changes nothing, for example a duplicate or an update of a deleted row
   * @throws TypeError the record is malformed
   */
  apply(record: JsonObject): TableChange<Model> | null {
    const key = this.#keyOf(record);
    const row = this.#rows.get(key);
    if (row === undefined) return record.action === "I" ? this.#insert(key, record) : null;
    if (record.action === "D") return this.#delete(key, row, record);
    return this.#update(key, row, record);
  }

  /**
   * Replaces all rows with a snapshot.
   * @returns the differences, as synthetic changes
   * @throws TypeError a row is malformed; nothing has changed then
   */
  replace(records: readonly JsonObject[]): TableChange<Model>[] {
    const rows = new Map<string, JsonObject>();
    const changes: TableChange<Model>[] = [];
    for (const record of records) {
      const key = this.#keyOf(record);
      const before = this.#rows.get(key);
      const changed = this.#readFields(record, before ?? {});
      const row = { ...before, ...changed };
      rows.set(key, row);
      if (changed === null) continue;
      changes.push(this.#change(before === undefined ? "I" : "U", key, row, changed, true));
    }
    for (const [key, row] of this.#rows) {
      if (!rows.has(key)) changes.push(this.#change("D", key, row, {}, true));
    }
    // Keep the map: callers hold it.
    this.#rows.clear();
    for (const [key, row] of rows) this.#rows.set(key, row);
    return changes;
  }

  #insert(key: string, record: JsonObject): TableChange<Model> {
    // Copied, because objects grown member by member stay slow to copy.
    const row = { ...this.#readFields(record, {}) };
    this.#rows.set(key, row);
    return this.#change("I", key, row, row);
  }

  #update(key: string, before: JsonObject, record: JsonObject): TableChange<Model> | null {
    const changed = this.#readFields(record, before);
    if (changed === null) return null;
    const row = { ...before, ...changed };
    this.#rows.set(key, row);
    return this.#change("U", key, row, changed);
  }

  #delete(key: string, before: JsonObject, record: JsonObject): TableChange<Model> {
    const changed = this.#readFields(record, before) ?? {};
    this.#rows.delete(key);
    return this.#change("D", key, { ...before, ...changed }, changed);
  }

  #change(
    action: TableChange<Model>["action"],
    key: string,
    row: unknown,
    changed: unknown,
    isSynthetic = false,
  ): TableChange<Model> {
    return {
      model: this.#model,
      action,
      key,
      row: row as TableRow<Model>,
      changed: changed as Partial<TableRow<Model>>,
      isSynthetic,
    };
  }

  #keyOf(record: JsonObject): string {
    return idOf(record, tables[this.#model].key);
  }
}

/** The rows of a snapshot. @throws TypeError a row is malformed */
export function readRows<Model extends TableModel>(
  model: Model,
  records: readonly JsonObject[],
): readonly TableRow<Model>[] {
  const mirror = new TableRows(model);
  mirror.replace(records);
  return [...mirror.rows.values()];
}
