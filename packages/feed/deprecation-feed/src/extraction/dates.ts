import type { CalendarDay } from "../notice/notice.ts";
import type { DateOrder } from "./date-order.ts";

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const monthName =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const month = `(?<month>${monthName})\\.?`;
const day = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";
/** Characters that make a date part of a longer word or number, as in `o1-2024-12-17`. */
const [notAfter, notBefore] = [
  "(?<![\\p{L}\\p{N}_/.@:-])",
  "(?![\\p{N}_/-]|\\.\\p{N}|(?!T\\d)\\p{L})",
];

const forms: readonly RegExp[] = [
  "(?<year>\\d{4})-(?<number>\\d{1,2})-(?<day>\\d{1,2})",
  "(?<year>\\d{4})/(?<number>\\d{1,2})/(?<day>\\d{1,2})",
  "(?<year>\\d{4})\\.(?<number>\\d{1,2})\\.(?<day>\\d{1,2})",
  "(?<year>20\\d{2})(?<number>\\d{2})(?<day>\\d{2})",
  "(?<year>\\d{4})年\\s?(?<number>\\d{1,2})月\\s?(?<day>\\d{1,2})日",
  "(?<first>\\d{1,2})/(?<second>\\d{1,2})/(?<year>\\d{4}|\\d{2})",
  "(?<first>\\d{1,2})-(?<second>\\d{1,2})-(?<year>\\d{4})",
  // Dates written with dots have the day first everywhere.
  "(?<day>\\d{1,2})\\.\\s?(?<number>\\d{1,2})\\.\\s?(?<year>\\d{4})",
  `${month}\\s+${day}(?:,\\s*|\\s+)(?<year>\\d{4})`,
  `${day}[\\s-]+(?:of\\s+)?${month}[,\\s-]+(?<year>\\d{4})`,
].map((form) => new RegExp(`${notAfter}(?:${form})${notBefore}`, "giu"));

const beforeDate = `(?=[\\s-]+(?:the\\s+)?(?:\\d|${monthName}))`;
/** Words that make a date the earliest possible one. */
const lowerBound = new RegExp(
  `\\b(?:(?:no|not|never)\\s+(?:sooner|earlier|before)|or\\s+(?:later|after|beyond)|earliest|at\\s+least|onwards?|after${beforeDate})\\b`,
  "i",
);
const upperBound = new RegExp(`\\b(?:before|by)${beforeDate}\\b`, "i");
/** Words that make a date an estimate. */
const guess = new RegExp(
  `\\b(?:tb[adc]|approx(?:imately)?|expected|estimated|likely|(?:around|about|circa|late|early|mid|end\\s+of)${beforeDate})\\b|[~≈≥]`,
  "i",
);
/** Every day mentioned in a text, in order. */
export const daysNamed = (text: string, order: DateOrder): readonly CalendarDay[] =>
  daysIn(text, order).map(dayOf);

const vagueDay = new RegExp(
  `\\b(?:${monthName})\\.?,?\\s+(?:of\\s+)?20\\d\\d\\b|\\bQ[1-4][\\s/-]*20\\d\\d\\b|\\b20\\d\\d[-/](?:0?[1-9]|1[0-2])\\b|20\\d\\d年|\\b20\\d\\d[01]\\d[0-3]\\d\\b|\\d{1,2}[/.-]\\d{1,2}[/.-]\\d{2,4}`,
  "i",
);
/** Whether a text names a day, a month or a quarter, in any order. */
export const writesDay = (text: string): boolean =>
  daysIn(text, "month-first").length > 0 || vagueDay.test(withoutIds(text));
const dayOfMonth = new RegExp(`\\b(?:${monthName})\\.? \\d{1,2}\\b|\\bTB[ADC]\\b`, "i");
/** Whether a text names a day without its year, or says that it will. */
export const writesPartOfDay = (text: string): boolean => dayOfMonth.test(text);
/** Words with a date as a part, such as `gpt-4-0613` or `o1-2024-12-17`, are ids. */
const withoutIds = (text: string): string =>
  text.replace(/`[^`]*`|\b\p{L}[\w.:@/]*-[\w.:@/-]*\d[\w.:@/-]*/gu, " ");

/** The first day in a sentence, even if it is only a bound; empty if there is none. */
export const firstDay = (text: string, order: DateOrder): CalendarDay =>
  daysIn(text, order)[0]?.day ?? "";

/** The day at the start of a heading; empty if it starts with something else. */
export function dayAtStart(text: string, order: DateOrder): CalendarDay {
  return daysIn(text.trim(), order).find(({ index }) => index === 0)?.day ?? "";
}

/** Whether words such as a column's heading say that a date is only the earliest or latest possible one. */
export const isBound = (text: string): boolean => lowerBound.test(text) || upperBound.test(text);
export const isLowerBound = (text: string): boolean => lowerBound.test(text);

export const isGuess = (text: string): boolean => guess.test(text);

/** Ignores empty days. */
export function earliest(days: readonly CalendarDay[]): CalendarDay {
  return days.filter((day) => day !== "").sort()[0] ?? "";
}

export interface FoundDay {
  readonly day: CalendarDay;
  readonly index: number;
  /** The index of the first character after it. */
  readonly end: number;
}

export const dayOf = (found: FoundDay): CalendarDay => found.day;

/** The days written in a text, with their places, in order. */
export function daysIn(text: string, order: DateOrder): readonly FoundDay[] {
  const plain = plainDashes(text);
  return forms
    .flatMap((form) => [...plain.matchAll(form)])
    .map(({ groups = {}, index, 0: written }) => ({
      day: toDay(groups, order),
      index,
      end: index + written.length,
    }))
    .filter((found) => found.day !== "")
    .sort((a, b) => a.index - b.index);
}

type DateParts = Readonly<Record<string, string | undefined>>;

function toDay(parts: DateParts, order: DateOrder): CalendarDay {
  const year = Number(parts.year) + (parts.year?.length === 2 ? 2000 : 0);
  const [month, day] = monthAndDay(parts, order);
  const time = new Date(Date.UTC(year, month - 1, day));
  const exists = time.getUTCMonth() === month - 1 && time.getUTCDate() === day;
  return exists ? time.toISOString().slice(0, 10) : "";
}

/** `22/5/2026` is unambiguous; `5/6/2026` needs the page's order, or it is not read as a date. */
function monthAndDay(parts: DateParts, order: DateOrder): readonly [number, number] {
  if (parts.first !== undefined) {
    const [first, second] = [Number(parts.first), Number(parts.second)];
    if (first > 12 || first === second) return [second, first];
    if (second > 12 || order === "month-first") return [first, second];
    return order === "day-first" ? [second, first] : [Number.NaN, Number.NaN];
  }
  const name = parts.month?.slice(0, 3).toLowerCase();
  const number = name === undefined ? Number(parts.number) : months.indexOf(name) + 1;
  return [number, Number(parts.day)];
}

/** Turns hyphens of every kind, such as the non-breaking U+2011, into `-`, character by character. */
export function plainDashes(text: string): string {
  return text.replace(/[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g, "-");
}
