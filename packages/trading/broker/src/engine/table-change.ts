import type { PushedRecord, TableModel } from "@proj/trading-client/wire";

/** A pushed table change; its record always has an `action`. */
export type TableChange = {
  readonly [Model in TableModel]: {
    readonly model: Model;
    readonly record: PushedRecord<Model>;
  };
}[TableModel];
