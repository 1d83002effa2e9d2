import type { CalendarDay, Notice } from "../notice.ts";
import { isAnnouncement } from "./announcements.ts";
import { firstDay, isBound } from "./dates.ts";
import type { Section } from "./page.ts";

/** Words for the end of calls. */
const ending =
  /\b(?:retir\w+|shut-?\s?(?:down|off)|(?:turn|switch)\w* off|stop\w* working|sunset\w*|remov\w+|discontinu\w+|decommission\w*|end[\s-]of[\s-]life|no longer (?:be )?(?:available|accessible|supported))\b/i;
const deprecating = /\bdeprecat\w+/i;
const onTheWayOut =
  /\b(?:deprecated|retired|retiring|legacy|eol|end[\s-]of[\s-]life|discontinued|shut down)\b/i;
/** In place of a date: a year, or the promise of one. */
const openEnd = /\b20\d\d\b|\btb[adc]\b|\bto be (?:determined|announced|confirmed)\b|\bsoon\b/i;

/** Whether a status or a heading says that its models are on their way out. */
export const saysEnded = (text: string): boolean => onTheWayOut.test(text);

/** Whether what stands in place of a date says that there will be one. */
export const saysOpenEnd = (text: string): boolean => openEnd.test(text);

/** Whether a heading or a sentence speaks of an end. */
export const speaksOfEnd = (sentence: string): boolean =>
  ending.test(sentence) || deprecating.test(sentence);

type End = Pick<Notice, "deprecation_date" | "shutdown_date" | "shutdown_text">;
export const noEnd: End = { deprecation_date: "", shutdown_date: "", shutdown_text: "" };

/**
 * What a sentence such as "Effective May 4, 2026, these models will be retired:" says. Where it only
 * speaks of deprecation, its day is no shutdown date; nor is the day of which it says that customers
 * were told.
 */
export function endInSentence(sentence: string): End | undefined {
  const day = firstDay(isAnnouncement(sentence) ? afterEnd(sentence) : sentence);
  if (day === "") return undefined;
  if (ending.test(sentence))
    return isBound(sentence)
      ? { ...noEnd, shutdown_text: sentence.replaceAll("`", "") }
      : { ...noEnd, shutdown_date: day };
  return deprecating.test(sentence) && !isBound(sentence)
    ? { ...noEnd, deprecation_date: day }
    : undefined;
}

/** From a heading such as "Retirement on May 4, 2026"; a day that a heading begins with is another. */
export function shutdownInHeadings({ headings }: Section): CalendarDay {
  const days = headings
    .map(({ text }) => afterEnd(text))
    .map((rest) => (isBound(rest) ? "" : firstDay(rest)));
  return days.findLast((day) => day !== "") ?? "";
}

function afterEnd(text: string): string {
  const end = ending.exec(text);
  return end === null ? "" : text.slice(end.index + end[0].length);
}
