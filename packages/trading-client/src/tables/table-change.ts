import type { TableAction, TableModel } from "@proj/trading-protocol";
import type { TableRow } from "./table-row.ts";

/** What happened to a row. */
export interface TableChange<Model extends TableModel> {
  readonly model: Model;
  readonly action: TableAction;
  /** The row's key field as text. */
  readonly key: string;
  /** As it is now; after a D, as it was at its end. */
  readonly row: TableRow<Model>;
  /** What is different now; the whole row for an I. */
  readonly changed: Partial<TableRow<Model>>;
  /**
   * It was not pushed: it happened while there was no connection, and was found by comparing what
   * there was before with what there is now. Several changes may be one then.
   */
  readonly isSynthetic: boolean;
}

/** How many rows came, changed and went while there was no connection. */
export interface RenewedTable {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}
