import type { CalendarDay } from "../notice/notice.ts";
import type { DateOrder } from "./date-order.ts";
import {
  dayOf,
  daysIn,
  earliest,
  type FoundDay,
  isBound,
  isGuess,
  isLowerBound,
  plainDashes,
} from "./dates.ts";

export interface DatedText {
  readonly day: CalendarDay;
  /** The earliest possible day, if the text gives such a bound. */
  readonly earliest: CalendarDay;
  /** What was written instead of a day; empty if there is one. */
  readonly text: string;
}

/** Words next to a date that no longer holds. */
const superseded =
  /\b(?:original(?:ly)?|previous(?:ly)?|former(?:ly)?|initial(?:ly)?|earlier|old|instead of|rather than|in place of|replac(?:es|ing)|supersed(?:es|ed|ing))\b|\b(?:was|were|not)[\s:]*$/i;
/** "From May 4, 2026" is a date that holds, unless another one follows. */
const startsRange = /\bfrom[\s:]*$/i;
/** Words before a date that replaces the others. */
const superseding =
  /\b(?:extended|postponed|delayed|deferred|moved|rescheduled|pushed|changed|updated|revised|brought)\b[^.;]{0,40}\b(?:to|until|till)[\s:]*$|\b(?:now|new(?: date)?)[\s:]*$|(?:→|->|=>)\s*$/i;
/** Words that take an end back, or leave it open. */
const withdrawn =
  /\b(?:postponed|delayed|deferred|cancell?ed|on hold|suspended|paused|indefinite(?:ly)?|withdrawn|reversed|rescinded|reinstated|struck out|(?:no longer|not any ?more) (?:being )?(?:plan|schedul|valid|appl|expect|end|retir|deprecat|going)\w*|until further notice)\b/i;
/** Words instead of a date that say that there is none yet. */
const noDate =
  /^(?:no(?:ne|t)?\b.*\b(?:date|announced|planned|scheduled|determined|set)|to be (?:determined|announced|confirmed)|unscheduled|undetermined)\b/i;
/** Several days are right if they belong to regions: "March 1, 2026 (us-east-1), February 1, 2026 (others)". */
const regional = /\b(?:regions?|others?|[a-z]{2}(?:-gov)?-[a-z]+-\d)\b/i;
/** Everything else that may be written in a cell with a date. A word that is not listed may change what the date means. */
const understood = new RegExp(
  [
    regional.source,
    "\\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\b",
    "T?\\d{1,2}(?::\\d{2}){1,2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:?\\d{2})?",
    "\\b\\d{1,2}\\s?[ap]\\.?m\\b",
    "\\b(?:utc|gmt)(?:[+-]\\d{1,2}(?::\\d{2})?)?",
    "\\b(?:[ap]m|noon|midnight|[pmce][sd]?t|cest|beijing|pacific|eastern|time|eod|day)\\b",
    "\\b(?:retir(?:e|es|ed|ing|ement)|shut(?:s|ting)?[\\s-]?down|sunset(?:s|ted)?|deprecat(?:ed|es|ion)|eol|end[\\s-]of[\\s-]life|ends?|ended|removed|removal|legacy)\\b",
    "\\b(?:only|in|all|and|the|for|at|on|of|is|date|since|until|as|effective|starting|scheduled|everywhere|globally)\\b",
    "[^\\p{L}\\p{N}~≈≥*†‡§¶]",
  ].join("|"),
  "giu",
);
/** What may be written where one date replaces another. */
const replacing =
  /\b(?:original(?:ly)?|previous(?:ly)?|former(?:ly)?|initial(?:ly)?|earlier|old|instead|rather|than|place|replac(?:es|ing)|supersed(?:es|ed|ing)|was|were|from|not|extended|postponed|delayed|deferred|moved|rescheduled|pushed|back|changed|updated|revised|brought|forward|to|till|now|new|announced|planned|set)\b/gi;

/**
 * A cell that should contain a date. It has one only if nothing else in the cell could change what the date means.
 * A bound ("no sooner than"), a month, or a date beside other words remains text.
 */
export function readDateCell(cell: string, order: DateOrder): DatedText {
  const text = cell.replaceAll("`", "").replace(/\s+/g, " ").trim();
  const found = daysIn(text, order);
  if (isBound(text))
    return { day: "", earliest: isLowerBound(text) ? earliest(found.map(dayOf)) : "", text };
  const days = holding(found, text);
  const isSure =
    !isGuess(text) && (days.length < 2 || regional.test(text)) && saysNoMore(text, found);
  if (days.length > 0 && isSure) return { day: earliest(days), earliest: "", text: "" };
  const isAmbiguous = order === "unknown" && daysIn(text, "month-first").length > 0;
  const reason = " (nothing on the page says whether the day or the month comes first)";
  return { day: "", earliest: "", text: found.length === 0 && isAmbiguous ? text + reason : text };
}

/** The first day of a sentence that it does not take back: "May 4, postponed to June 1" is June 1. */
export const dayThatHolds = (text: string, order: DateOrder): CalendarDay =>
  holding(daysIn(text, order), text)[0] ?? "";

/** Whether a text says why it has no day: a bound, an estimate, an end that was taken back or is not planned. */
export const explainsNoDay = (text: string): boolean =>
  isBound(text) || isGuess(text) || isWithdrawn(text) || noDate.test(text);

/** Whether the words take an end back. */
export const isWithdrawn = (text: string): boolean => withdrawn.test(text);

/** The days that a text does not take back; several only if it gives several. */
function holding(found: readonly FoundDay[], text: string): readonly CalendarDay[] {
  const words = wordsAround(found, text);
  const latest = found.findLast((_, index) => superseding.test(words[index]?.before ?? ""));
  if (latest !== undefined) return [latest.day];
  if (isWithdrawn(text)) return [];
  const valid = found.filter((_, index) => {
    const { before = "", after = "" } = words[index] ?? {};
    if (found.length > 1 && startsRange.test(before)) return false;
    return !superseded.test(before) && !superseded.test(after);
  });
  return [...new Set(valid.map(dayOf))];
}

const separator = /[;,()]|\s[-–—]\s/;
const ownWords = /^\s*(?:\([^()]*\)|[^;,()–—]*)/;

interface WordsAround {
  readonly before: string;
  readonly after: string;
}

/** The words that belong to each day: those between two days belong to the first up to a separator. */
function wordsAround(found: readonly FoundDay[], text: string): readonly WordsAround[] {
  return found.map(({ index, end }, place) => ({
    before:
      text
        .slice(found[place - 1]?.end ?? 0, index)
        .split(separator)
        .at(-1) ?? "",
    after: ownWords.exec(text.slice(end, found[place + 1]?.index))?.[0] ?? "",
  }));
}

/** Whether a text has nothing beside its days but words that do not change them. */
function saysNoMore(text: string, found: readonly FoundDay[]): boolean {
  let rest = plainDashes(text);
  for (const { index, end } of found.toReversed())
    rest = `${rest.slice(0, index)} ${rest.slice(end)}`;
  const isMoved = found.some(({ index }) => superseding.test(text.slice(0, index)));
  const roles = found.length > 1 || isMoved ? rest.replace(replacing, " ") : rest;
  return roles.replace(understood, "") === "";
}
