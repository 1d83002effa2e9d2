import { type TableModel, tables } from "@proj/trading-client";
import type { TableChange } from "../../src/engine/table-change.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The tables of a client that has seen every push from the beginning and nothing else. */
export class TableMirror {
  readonly #rows = new Map<TableModel, Map<unknown, Fields>>();

  /** @throws Error a change that does not fit the earlier ones */
  apply({ model, record }: TableChange): void {
    const { action, ...fields }: Fields = { ...record };
    const rows = this.#rows.get(model) ?? new Map<unknown, Fields>();
    this.#rows.set(model, rows);
    const key = fields[tables[model].key];
    const before = rows.get(key);
    if ((action === "I") === (before !== undefined)) {
      throw new Error(`${model} ${String(action)} of ${String(key)} comes out of turn`);
    }
    if (action === "D") rows.delete(key);
    else rows.set(key, { ...before, ...fields });
  }

  /** Adds rows from before the first push. */
  start(model: TableModel, rows: readonly object[]): void {
    for (const row of rows) {
      const fields: Fields = { ...row };
      const held = this.#rows.get(model) ?? new Map<unknown, Fields>();
      this.#rows.set(model, held.set(fields[tables[model].key], fields));
    }
  }

  rows(model: TableModel): readonly Fields[] {
    return [...(this.#rows.get(model)?.values() ?? [])];
  }
}
