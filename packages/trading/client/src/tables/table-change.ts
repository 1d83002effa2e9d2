import type { TableAction, TableModel } from "../wire/index.ts";
import type { TableRow } from "./table-row.ts";

/** A change of a row. */
export interface TableChange<Model extends TableModel> {
  readonly model: Model;
  readonly action: TableAction;
  /** The row's key field as text. */
  readonly key: string;
  /** The row after the change; for a D, its last state. */
  readonly row: TableRow<Model>;
  /** The changed members; for an I, the whole row. */
  readonly changed: Partial<TableRow<Model>>;
  /**
   * True: it was not pushed but happened while disconnected, and was found by comparing the rows before
   * and after. It may combine several changes.
   */
  readonly isSynthetic: boolean;
}

/** Numbers of rows inserted, updated and deleted while disconnected. */
export interface RenewedTable {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}
