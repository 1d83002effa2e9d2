import type { Call } from "../calls/sender.ts";
import { objectsOf } from "../reading/answer-fields.ts";
import type { JsonObject } from "../reading/json-objects.ts";
import { type TableModel, tables } from "../wire/index.ts";

/** The records of each requested table. */
export type Snapshot = ReadonlyMap<TableModel, readonly JsonObject[]>;

export function snapshotCall(models: readonly TableModel[]): Call<Snapshot> {
  return {
    method: "GET",
    path: "/trading/get_model",
    fields: { models },
    isIdempotent: true,
    read: (answer) => new Map(models.map((model) => [model, recordsOf(answer, model)])),
  };
}

/** A snapshot ends with a row of totals, which is not a record. */
function recordsOf(answer: JsonObject, model: TableModel): readonly JsonObject[] {
  return objectsOf(answer, tables[model].member).filter(({ isTotal }) => isTotal !== true);
}
