import type { CalendarDay } from "../notice.ts";

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const monthName =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const month = `(?<month>${monthName})\\.?`;
const day = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";
/** Part of a longer word or number, such as the date in `o1-2024-12-17`. */
const [notAfter, notBefore] = [
  "(?<![\\p{L}\\p{N}_/.-])",
  "(?![\\p{N}_/-]|\\.\\p{N}|(?!T\\d)\\p{L})",
];

const forms: readonly RegExp[] = [
  "(?<year>\\d{4})-(?<number>\\d{1,2})-(?<day>\\d{1,2})",
  "(?<year>\\d{4})/(?<number>\\d{1,2})/(?<day>\\d{1,2})",
  "(?<year>\\d{4})\\.(?<number>\\d{1,2})\\.(?<day>\\d{1,2})",
  "(?<first>\\d{1,2})/(?<second>\\d{1,2})/(?<year>\\d{4}|\\d{2})",
  `${month}\\s+${day}(?:,\\s*|\\s+)(?<year>\\d{4})`,
  `${day}[\\s-]+(?:of\\s+)?${month}[,\\s-]+(?<year>\\d{4})`,
].map((form) => new RegExp(`${notAfter}(?:${form})${notBefore}`, "giu"));

const beforeDate = `(?=[\\s-]+(?:the\\s+)?(?:\\d|${monthName}))`;
/** Words that make of a date the first or the last on which something may happen. */
const bound = new RegExp(
  `\\b(?:(?:no|not|never)\\s+(?:sooner|earlier|before)|or\\s+(?:later|after|beyond)|earliest|at\\s+least|onwards?|(?:after|before|by)${beforeDate})\\b`,
  "i",
);
/** Words that make of a date a guess. */
const guess = new RegExp(
  `\\b(?:tb[adc]|approx(?:imately)?|expected|estimated|likely|(?:around|about|circa|late|early|mid|end\\s+of)${beforeDate})\\b|[~≈≥]`,
  "i",
);
/** What stands before a date that no longer holds. */
const superseded = /\b(?:originally|previously|formerly|was|from|instead of)\s*:?\s*$/i;

export interface DatedText {
  readonly day: CalendarDay;
  /** What was written in place of a day; empty where there is one. */
  readonly text: string;
}

/**
 * A cell that is meant to hold a date. Where it has several, one for each region, the earliest
 * counts. A bound ("no sooner than"), a month or anything else that is no day stays text.
 */
export function readDateCell(cell: string): DatedText {
  const text = cell.replaceAll("`", "").replace(/\s+/g, " ").trim();
  if (isBound(text) || guess.test(text)) return { day: "", text };
  const found = daysIn(text);
  const valid = found.filter(({ index }) => !superseded.test(text.slice(0, index)));
  const day = earliest((valid.length > 0 ? valid : found).map((date) => date.day));
  return day === "" ? { day, text } : { day, text: "" };
}

/** The first day that a sentence names, be it a bound; empty where there is none. */
export function firstDay(text: string): CalendarDay {
  return daysIn(text)[0]?.day ?? "";
}

/** The day that a heading begins with; empty where it begins with something else. */
export function dayAtStart(text: string): CalendarDay {
  return daysIn(text.trim()).find(({ index }) => index === 0)?.day ?? "";
}

/** Whether words such as a column's heading say that a date is only the earliest possible one. */
export const isBound = (text: string): boolean => bound.test(text);

/** Empty days do not count. */
export function earliest(days: readonly CalendarDay[]): CalendarDay {
  return days.filter((day) => day !== "").sort()[0] ?? "";
}

interface FoundDay {
  readonly day: CalendarDay;
  readonly index: number;
}

function daysIn(text: string): readonly FoundDay[] {
  const plain = plainDashes(text);
  return forms
    .flatMap((form) => [...plain.matchAll(form)])
    .map((match) => ({ day: toDay(match.groups ?? {}), index: match.index }))
    .filter((found) => found.day !== "")
    .sort((a, b) => a.index - b.index);
}

function toDay(parts: Readonly<Record<string, string | undefined>>): CalendarDay {
  const year = Number(parts.year) + (parts.year?.length === 2 ? 2000 : 0);
  const [month, day] = monthAndDay(parts);
  const time = new Date(Date.UTC(year, month - 1, day));
  const exists = time.getUTCMonth() === month - 1 && time.getUTCDate() === day;
  return exists ? time.toISOString().slice(0, 10) : "";
}

/** `5/22/2026` is American, as all ten pages write it; `22/5/2026` can only be the other way round. */
function monthAndDay(
  parts: Readonly<Record<string, string | undefined>>,
): readonly [number, number] {
  if (parts.first !== undefined) {
    const [first, second] = [Number(parts.first), Number(parts.second)];
    return first > 12 ? [second, first] : [first, second];
  }
  const name = parts.month?.slice(0, 3).toLowerCase();
  const number = name === undefined ? Number(parts.number) : months.indexOf(name) + 1;
  return [number, Number(parts.day)];
}

/** Hyphens of every kind, such as the unbreakable U+2011, as `-`; each one stays one character. */
export function plainDashes(text: string): string {
  return text.replace(/[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g, "-");
}
