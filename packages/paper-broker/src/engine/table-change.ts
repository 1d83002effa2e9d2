import type { PushedRecord, TableModel } from "@proj/trading-protocol";

/** A change of a table as it is pushed; its record's `action` is always set. */
export type TableChange = {
  readonly [Model in TableModel]: {
    readonly model: Model;
    readonly record: PushedRecord<Model>;
  };
}[TableModel];
