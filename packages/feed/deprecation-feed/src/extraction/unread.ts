import type { CalendarDay, Notice } from "../notice/notice.ts";
import { hasOtherDates, isAboutOther, type Meaning, meaningOf } from "./columns.ts";
import { readDateCell } from "./date-cells.ts";
import type { DateOrder } from "./date-order.ts";
import { dayAtStart, daysNamed, isBound, isLowerBound, writesDay } from "./dates.ts";
import {
  idsWritten,
  isAboutPart,
  isOtherSystem,
  isTellingName,
  leadingGap,
  nameOf,
  readModelIds,
} from "./id-cells.ts";
import { endInSentence, noEnd, saysEnded, saysNothing, speaksOfEnd } from "./lifecycle-words.ts";
import type { Page, Section } from "./page.ts";
import { type DayField, give, quote, ReadModels } from "./read-models.ts";
import { type Statement, statementsOf } from "./statements.ts";
import { isFineTuning, subjectAbove } from "./subject.ts";
import type { Grid } from "./table.ts";
import { plainText, type Words } from "./words.ts";

/** A part of a page that seems to give the end of a model, although no notice says so. */
export interface UnreadLine {
  /** The headings above it. */
  readonly place: string;
  readonly words: string;
}

const longestWords = 300;

/**
 * The dated rows about models, and the sentences, items and cards with an id, a word of ending and a day, that a page's
 * notices do not cover.
 */
export function unreadLines({ sections }: Page, notices: readonly Notice[]): readonly UnreadLine[] {
  const read = new ReadModels(notices);
  return sections.flatMap((section) => {
    const words = [
      ...section.blocks.flatMap((block, index) => {
        if (block.kind !== "table") return [];
        const before = section.blocks[index - 1];
        const leadIn = before?.kind === "paragraph" ? before.words.text : "";
        const isOther =
          isAboutOther(block.grid.headings) ||
          isFineTuning(section) ||
          subjectAbove(section, leadIn) === "other";
        if (isOther) return [];
        return unreadRows(uprightGrid(block.grid), section, leadIn, read);
      }),
      ...statementsOf(section)
        .filter((statement) => isUnread(statement, section, read))
        .map((statement) => statement.words.replaceAll("`", "")),
    ];
    const place = section.headings.map(({ text }) => text).join(" › ");
    return [...new Set(words)].map((text) => ({ place, words: text.slice(0, longestWords) }));
  });
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
    ...subjects.flatMap(({ text }) => read.fromCell(text)),
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

function isUnread({ words, context }: Statement, section: Section, read: ReadModels): boolean {
  const saysEnd = speaksOfEnd(words) || isLowerBound(words) || speaksOfEnd(context);
  if (!(writesDay(words) || /\bTB[ADC]\b/.test(words)) || !saysEnd) return false;
  const ids = idsWritten(words).filter((id) => !isTarget(id, words, read));
  if (ids.length === 0 || isAboutPart(words)) return false;
  const around = read.inSection(section.headings.at(-1)?.anchor ?? "");
  const written = daysNamed(words, section.dateOrder);
  const announced = section.headings.map(({ text }) => dayAtStart(text, section.dateOrder));
  const days = written.filter(
    (day) => !announced.includes(day) && !give(around, day, ["announcement_date"]),
  );
  if (written.length > 0 && days.length === 0) return false;
  const own = ids.flatMap((id) => read.named(id));
  if (own.length === 0) return true;
  if (ids.some((id) => read.named(id).length === 0 && !read.isReplacement(id))) return true;
  return !days.every((day) => give(own, day) || give(around, day));
}

/** Whether a sentence names an id only as what replaces others: "will be redirected to `new-1`". */
function isTarget(id: string, words: string, read: ReadModels): boolean {
  if (!read.isReplacement(id)) return false;
  const before = words.slice(0, words.indexOf(id)).slice(-30);
  return /\b(?:to|with|by|use|using|try)\s(?:the\s)?[`"“(]{0,2}$/i.test(before);
}
