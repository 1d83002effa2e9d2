import { foldPayloads, type LargeValue, scopeOf } from "../large-values.ts";
import type { OwnedRow } from "./insert-steps.ts";

/** A large value of a row of a batch. */
export interface PlacedValue extends LargeValue {
  readonly request_id: string;
  readonly scope: string;
}

export interface FoldedRows {
  /** Without their large values. */
  readonly rows: readonly OwnedRow[];
  readonly values: readonly PlacedValue[];
}

/** @param minBytes size from which a value is large */
export function foldRows(rows: readonly OwnedRow[], minBytes: number): FoldedRows {
  const values: PlacedValue[] = [];
  const folded = rows.map((row) => {
    const { request_id } = row;
    const { rest, values: found } = foldPayloads(row, minBytes);
    for (const value of found) values.push({ ...value, request_id, scope: scopeOf(row) });
    return found.length === 0 ? row : { ...row, ...rest };
  });
  return { rows: folded, values };
}
