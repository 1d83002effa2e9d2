import { isDeepStrictEqual } from "node:util";
import type { DateOrder } from "../extraction/date-order.ts";
import { dateOrderOf } from "../extraction/date-order.ts";
import { daysNamed, explainsNoDay } from "../extraction/dates.ts";
import type { RolledNotice } from "../extraction/roll-up.ts";
import type { RowChange } from "./row-changes.ts";

export interface PageTexts {
  readonly before: ReadonlyMap<string, RolledNotice>;
  readonly after: ReadonlyMap<string, RolledNotice>;
  /** The text of the page: one line per paragraph, list item and table row. */
  readonly lines: readonly string[];
}

/**
 * Why even a single change cannot be real: the page still names the model whose row is gone, or still has the date
 * that was lost. Null if the change is plausible.
 */
export function whyMisread(change: RowChange, page: PageTexts): string | null {
  const { model_id, field, from, to } = change;
  const notice = page.after.get(model_id);
  if (field === "replacement_models" || from === "") return null;
  if (field === "model") return whyNotGone(model_id, page);
  if (notice === undefined || field === "announcement_date") return null;
  const row = notice.source_text;
  const order = dateOrderOf(page.lines);
  if (to === "") {
    const became = field === "shutdown_date" && notice.earliest_shutdown_date !== "";
    if (field === "earliest_shutdown_date" || became) return null;
    if (
      explainsNoDay(notice.shutdown_text) &&
      !daysNamed(notice.shutdown_text, order).includes(from)
    )
      return null;
    return `the row of ${model_id} no longer has a ${nameOf(field)} (${from}), and does not say why`;
  }
  const old = page.before.get(model_id);
  const otherDates = [old?.announcement_date, old?.deprecation_date].filter((day) => day !== from);
  if (field === "shutdown_date" && otherDates.includes(to) && to !== "")
    return `the ${nameOf(field)} of ${model_id} is now what another of its dates was (${to})`;
  if (isSwapped(from, to)) return `the day and the month of ${model_id} are swapped (${to})`;
  return saysBoth(row, from, order)
    ? `the row of ${model_id} still says ${from} next to ${to}`
    : null;
}

const nameOf = (field: string): string => field.replaceAll("_", " ");

/** Only in another cell: "January 5, extended to March 1" is how pages themselves move a date. */
function saysBoth(row: string, from: string, order: DateOrder): boolean {
  const cells = row.split(/ \| |\n/);
  return cells.some((cell) => isDeepStrictEqual([...new Set(daysNamed(cell, order))], [from]));
}

function isSwapped(from: string, to: string): boolean {
  const [year, month, day] = from.split("-");
  return month !== day && to === `${year}-${day}-${month}`;
}

/** A model whose row is really gone is mentioned at most as another one's replacement. */
function whyNotGone(model_id: string, { after, lines }: PageTexts): string | null {
  const name = namePattern(model_id);
  for (const line of lines) {
    const at = line.search(name);
    if (at === -1) continue;
    const isOfAnother = [...after.keys()].some((id) => {
      const place = line.search(namePattern(id));
      return place !== -1 && place < at;
    });
    if (isOfAnother) continue;
    const words = line.length > 120 ? `${line.slice(Math.max(0, at - 40), at + 80)} …` : line;
    return `the page still names ${model_id}, which could not be read: "${words.trim()}"`;
  }
  return null;
}

const patterns = new Map<string, RegExp>();

/** An id as a whole word, with any separators: `GPT 4 0613` matches `gpt-4-0613`. */
function namePattern(model_id: string): RegExp {
  const known = patterns.get(model_id);
  if (known !== undefined) return known;
  const parts = model_id.match(/[\p{L}\p{N}]+/gu) ?? [];
  const joint = "[^\\p{L}\\p{N}\\n|]{0,3}";
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}][-._:@/]?)${parts.join(joint)}(?![-._:@/]?[\\p{L}\\p{N}])`,
    "iu",
  );
  if (patterns.size > 5000) patterns.clear();
  patterns.set(model_id, pattern);
  return pattern;
}
