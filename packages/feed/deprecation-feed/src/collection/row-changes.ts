import { isDeepStrictEqual } from "node:util";
import { earliest } from "../extraction/dates.ts";
import type { RolledNotice } from "../extraction/roll-up.ts";

/** One difference between a page and its last good reading. */
export interface RowChange {
  readonly model_id: string;
  /** `model`: the row itself is gone (`to` is empty) or new (`from` is empty). */
  readonly field: RowField;
  readonly from: string;
  readonly to: string;
}

export const comparedDates = [
  "announcement_date",
  "deprecation_date",
  "shutdown_date",
  "earliest_shutdown_date",
] as const;

export type RowField = "model" | (typeof comparedDates)[number] | "replacement_models";
export const rowFields: readonly RowField[] = ["model", ...comparedDates, "replacement_models"];

/** The differences between two readings of a page, by model. */
export function rowChanges(
  before: readonly RolledNotice[],
  after: readonly RolledNotice[],
): readonly RowChange[] {
  const now = new Map(after.map((notice) => [notice.model_id, notice]));
  const known = new Set(before.map(({ model_id }) => model_id));
  const changes = before.flatMap((old): readonly RowChange[] => {
    const { model_id } = old;
    const notice = now.get(model_id);
    if (notice === undefined)
      return [{ model_id, field: "model", from: endOf(old) || "listed", to: "" }];
    const dates = comparedDates
      .filter((field) => old[field] !== notice[field])
      .map((field) => ({ model_id, field, from: old[field], to: notice[field] }));
    if (isDeepStrictEqual(old.replacement_models, notice.replacement_models)) return dates;
    const [from, to] = [old, notice].map((row) => row.replacement_models.join(", "));
    return [...dates, { model_id, field: "replacement_models", from: from ?? "", to: to ?? "" }];
  });
  const added = after
    .filter(({ model_id }) => !known.has(model_id))
    .map(
      (notice): RowChange => ({
        model_id: notice.model_id,
        field: "model",
        from: "",
        to: endOf(notice) || "listed",
      }),
    );
  return [...changes, ...added];
}

const endOf = (notice: RolledNotice): string =>
  earliest([notice.shutdown_date, notice.deprecation_date]);
