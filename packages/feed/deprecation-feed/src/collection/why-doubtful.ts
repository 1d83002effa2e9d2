import { explainsNoDay, isWithdrawn } from "../extraction/date-cells.ts";
import type { DateOrder } from "../extraction/date-order.ts";
import { daysNamed } from "../extraction/dates.ts";
import { looksLikeModelId } from "../extraction/model-ids.ts";
import type { RolledNotice } from "../extraction/roll-up.ts";
import type { CalendarDay } from "../notice/notice.ts";
import type { RowChange } from "./row-changes.ts";

export interface ChangedRow {
  /** The row in the last good run; undefined: it is new. */
  readonly old: RolledNotice | undefined;
  readonly now: RolledNotice;
  readonly changes: readonly RowChange[];
  /** How the page writes its dates. */
  readonly order: DateOrder;
  readonly today: CalendarDay;
  /** Whether the end of the page has changed, as it does when a page is cut off. */
  readonly hasNewEnd: boolean;
}

/** Models have been retired since then. */
const firstYear = 2018;
const endOfCentury = 2100;
/** The last day of a year that is further ahead stands for "never". */
const maxYearsAhead = 10;

/** Why a row may have been misread, so that a person has to look at it first; null if it was surely read. */
export function whyDoubtful(row: ChangedRow): string | null {
  const { old, now } = row;
  if (!looksLikeModelId(now.model_id))
    return `there is prose where a model id should be: "${now.model_id.slice(0, 80)}"`;
  const strange = daysOf(now).find((day) => !isPlausible(day, row.today));
  if (strange !== undefined && !(old !== undefined && daysOf(old).includes(strange)))
    return `${strange} is not a plausible day`;
  if (contradicts(now) && !(old !== undefined && contradicts(old)))
    return "the page gives two shutdown dates for it";
  if (old === undefined) return null;
  for (const change of row.changes) {
    const reason = whyMisread(change, row, old);
    if (reason !== null) return reason;
  }
  return null;
}

const daysOf = (notice: RolledNotice): readonly CalendarDay[] =>
  [
    notice.announcement_date,
    notice.deprecation_date,
    notice.shutdown_date,
    notice.earliest_shutdown_date,
  ].filter((day) => day !== "");

function isPlausible(day: CalendarDay, today: CalendarDay): boolean {
  const year = Number(day.slice(0, 4));
  const standsForNever = day.endsWith("-12-31") && year > Number(today.slice(0, 4)) + maxYearsAhead;
  return year >= firstYear && year < endOfCentury && !standsForNever;
}

function whyMisread(
  { field, from, to }: RowChange,
  { now, order, hasNewEnd }: ChangedRow,
  old: RolledNotice,
): string | null {
  if (field === "model" || from === "") return null;
  const name = field.replaceAll("_", " ");
  if (field === "replacement_models") {
    if (to === "") return `its ${name} (${from}) are gone`;
    const isCut = now.replacement_models.some((id) =>
      old.replacement_models.some((whole) => whole !== id && whole.startsWith(id)),
    );
    return hasNewEnd && isCut ? `the page may be cut off in this row: "${to}"` : null;
  }
  if (to === "")
    return isLossExplained(field, from, now, order)
      ? null
      : `it no longer has a ${name} (${from}), and does not say why`;
  if (field === "announcement_date")
    return to < from ? `its newest announcement (${from}) is gone` : null;
  const others = [old.announcement_date, old.deprecation_date].filter((day) => day !== from);
  if (field === "shutdown_date" && others.includes(to))
    return `its ${name} is now what another of its dates was (${to})`;
  if (isSwapped(from, to)) return `the day and the month of its ${name} are swapped (${to})`;
  if (saysBoth(now.source_text, from, order)) return `its row still says ${from} next to ${to}`;
  const [before, after] = [headingOf(old, from, order), headingOf(now, to, order)];
  if (before !== "" && after !== "" && before !== after)
    return `its ${name} is now read under "${after}" instead of "${before}"`;
  return null;
}

/** Whether a row says why it has lost a date, or has another one in its place. */
function isLossExplained(
  field: RowChange["field"],
  from: CalendarDay,
  now: RolledNotice,
  order: DateOrder,
): boolean {
  const { shutdown_date, earliest_shutdown_date, shutdown_text, state } = now;
  if (field === "earliest_shutdown_date") return shutdown_date !== "" || isWithdrawn(shutdown_text);
  if (field !== "shutdown_date") return state === "withdrawn";
  if (earliest_shutdown_date !== "" || isWithdrawn(shutdown_text)) return true;
  return explainsNoDay(shutdown_text) && !daysNamed(shutdown_text, order).includes(from);
}

/** Only in another cell: "January 5, extended to March 1" is how pages themselves move a date. */
const saysBoth = (row: string, from: CalendarDay, order: DateOrder): boolean =>
  row.split(/ \| |\n/).some((cell) => {
    const days = new Set(daysNamed(cell, order));
    return days.size === 1 && days.has(from);
  });

function isSwapped(from: CalendarDay, to: CalendarDay): boolean {
  const [year, month, day] = from.split("-");
  return month !== day && to === `${year}-${day}-${month}`;
}

/** The heading of the column that a day was read from; empty if it was not read from a column. */
function headingOf({ rows }: RolledNotice, day: CalendarDay, order: DateOrder): string {
  const cells = rows.flatMap(({ source_text }) =>
    (source_text.split("\n").at(-1) ?? "").split(" | "),
  );
  const cell = cells.find((text) => text.includes(": ") && daysNamed(text, order).includes(day));
  return cell?.slice(0, cell.indexOf(": ")).trim().toLowerCase() ?? "";
}

/** Whether the list of all models and the newest announcement give different days for the same regions. */
function contradicts({ rows, announcement_date }: RolledNotice): boolean {
  const days = rows
    .filter((row) => row.announcement_date === "" || row.announcement_date === announcement_date)
    .filter(({ regions, shutdown_date }) => regions.length === 0 && shutdown_date !== "");
  return new Set(days.map(({ shutdown_date }) => shutdown_date)).size > 1;
}
