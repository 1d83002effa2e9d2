import type { CalendarDay, Notice } from "../notice/notice.ts";
import { hasOtherDates, isAboutOther, type Meaning, meaningOf } from "./columns.ts";
import { readDateCell } from "./date-cells.ts";
import type { DateOrder } from "./date-order.ts";
import { daysNamed, isBound, writesDay } from "./dates.ts";
import {
  idsWritten,
  isAboutPart,
  isOtherSystem,
  isTellingName,
  leadingGap,
  nameOf,
  readModelIds,
} from "./id-cells.ts";
import { endInSentence, noEnd, saysEnded, saysNothing } from "./lifecycle-words.ts";
import type { Section } from "./page.ts";
import { type DayField, give, quote, type ReadModels } from "./read-models.ts";
import { isFineTuning, subjectAbove } from "./subject.ts";
import type { Grid } from "./table.ts";
import { onOneLine, plainText, type Words } from "./words.ts";

/** The rows of a table that seem to give the end of a model, and that no notice covers; none if it is about something else. */
export function unreadInTable(
  grid: Grid,
  section: Section,
  leadIn: string,
  read: ReadModels,
): readonly string[] {
  const isOther =
    isAboutOther(grid.headings) ||
    isFineTuning(section) ||
    subjectAbove(section, leadIn) === "other";
  return isOther ? [] : unreadRows(uprightGrid(grid), section, leadIn, read);
}

interface DatedCell {
  readonly heading: string;
  readonly meaning: Meaning;
  readonly text: string;
}

const hasId = ({ text }: Words): boolean =>
  idsWritten(text).length > 0 || readModelIds(text).length > 0;

const isDatedModel = (row: readonly Words[]): boolean =>
  row.some(hasId) && row.some(({ text }) => writesDay(text));

/** A table with its models side by side, turned so that each has a row. */
function uprightGrid(grid: Grid): Grid {
  const lines = [grid.headings.map((text): Words => ({ text, links: [] })), ...grid.rows];
  const isUpright = lines.some(isDatedModel);
  const modelLine = lines.find((row) => row.some(hasId));
  const hasDay = lines.some((row) => row.some(({ text }) => writesDay(text)));
  if (isUpright || modelLine === undefined || !hasDay) return grid;
  const [headings = [], ...rows] = modelLine.map((_, column) =>
    lines.map((row): Words => row[column] ?? { text: "", links: [] }),
  );
  return { headings: headings.map(plainText), rows };
}

function unreadRows(
  { headings, rows }: Grid,
  section: Section,
  leadIn: string,
  read: ReadModels,
): readonly string[] {
  const meanings = headings.map(meaningOf);
  // A table without headings has a row in their place.
  const first = headings.map((text): Words => ({ text, links: [] }));
  return [...(isDatedModel(first) ? [first] : []), ...rows]
    .filter((row) => {
      const gaps = meanings.map((meaning, index) =>
        meaning === "model" ? leadingGap(row, index, headings.length) : 0,
      );
      const gap = Math.max(...gaps);
      const cells = row.map((words, index) =>
        cellOf(words, headings[index + gap] ?? "", meanings[index + gap]),
      );
      return isUnreadRow(cells, section, leadIn, read);
    })
    .map((row) => row.map(plainText).join(" | "));
}

const cellOf = (
  words: Words,
  heading: string,
  meaning: Meaning = "other",
): DatedCell & { readonly words: Words } => ({
  heading,
  meaning,
  text: plainText(words),
  words,
});

function isUnreadRow(
  cells: readonly (DatedCell & { readonly words: Words })[],
  section: Section,
  leadIn: string,
  read: ReadModels,
): boolean {
  const { dateOrder } = section;
  const named = cells.filter(({ meaning }) => meaning === "model");
  const others = cells.filter(({ meaning, text }) => meaning === "other" && !writesDay(text));
  const subjects = named.length > 0 ? named : others;
  const ids = subjects.flatMap(({ words: { text } }) => [
    ...readModelIds(text),
    ...idsWritten(text),
  ]);
  const hasName = others.some(({ text }) => isTellingName(text));
  if (named.length === 0 && ids.length === 0 && !hasName) return false;
  if (subjects.every(({ words: { text } }) => isOtherSystem(text) || isAboutPart(text)))
    return false;
  const notices = [
    ...ids.flatMap((id) => read.named(id)),
    // Two rows may have the same name.
    ...subjects
      .flatMap(({ text }) => read.fromCell(onOneLine(text)))
      .filter((notice) => quotes(notice, cells)),
  ];
  const isUnnamed = notices.length === 0 || ids.some((id) => read.named(id).length === 0);
  const dated = cells.filter(isDated);
  if (dated.length === 0) {
    const isLedIn = (endInSentence(leadIn, dateOrder) ?? noEnd).shutdown_date !== "";
    const hasNumberedName = named.some(({ text }) => nameOf(text).length > 0 && /\d/.test(text));
    const isUnderEnd = saysEnded(section.headings.at(-1)?.text ?? "");
    return (
      isUnnamed &&
      (isLedIn || isUnderEnd || ((ids.length > 0 || hasNumberedName) && cells.some(saysEndInWords)))
    );
  }
  if (isUnnamed) return true;
  return [...Map.groupBy(dated, ({ meaning }) => meaning)].some(([meaning, group]) =>
    ends.has(meaning)
      ? !group.some((cell) => isCovered(cell, dateOrder, notices))
      : !group.every((cell) => isCovered(cell, dateOrder, notices)),
  );
}

const quotes = ({ source_text }: Notice, cells: readonly DatedCell[]): boolean =>
  cells.every(({ text }) => source_text.includes(onOneLine(text)));

/** Whether a cell about an end has words for it, such as "in three months" or "Retired". */
function saysEndInWords({ meaning, text }: DatedCell): boolean {
  if (meaning === "status" || (meaning === "other" && text.length < 30)) return saysEnded(text);
  if (meaning === "replacement") return hasId({ text, links: [] });
  return meaning === "shutdown" && /\p{L}{2}/u.test(text) && !saysNothing(text);
}

/** Of several columns with the same meaning the earliest date counts. */
const ends = new Set<Meaning>(["shutdown", "deprecation", "announcement"]);
/** What the date of a column is read as; some pages use "deprecation" for the shutdown. */
const fieldsOf: Partial<Record<Meaning, readonly DayField[]>> = {
  shutdown: ["shutdown_date", "earliest_shutdown_date"],
  deprecation: ["deprecation_date", "shutdown_date"],
  announcement: ["announcement_date"],
  model: ["shutdown_date", "earliest_shutdown_date"],
  other: ["shutdown_date", "earliest_shutdown_date"],
};

/** Whether a cell has a day that may be an end. */
const isDated = ({ heading, meaning, text }: DatedCell): boolean =>
  writesDay(text) &&
  meaning !== "replacement" &&
  meaning !== "version" &&
  !(meaning === "other" && hasOtherDates(heading));

function isCovered(
  { heading, meaning, text }: DatedCell,
  order: DateOrder,
  notices: readonly Notice[],
): boolean {
  const days = daysNamed(text, order);
  const isAmbiguous = days.length === 0 && daysNamed(text, "month-first").length > 0;
  if (ends.has(meaning) && !isAmbiguous && (days.length === 0 || isBound(heading))) return true;
  const { day } = readDateCell(text, order);
  const isGiven = (one: CalendarDay): boolean => give(notices, one, fieldsOf[meaning]);
  return day === ""
    ? quote(notices, text) || (days.length > 0 && days.every(isGiven))
    : isGiven(day);
}
