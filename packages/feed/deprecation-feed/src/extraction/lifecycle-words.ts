import type { CalendarDay, Notice, PageState } from "../notice/notice.ts";
import { isAnnouncement } from "./announcements.ts";
import { dayThatHolds } from "./date-cells.ts";
import type { DateOrder } from "./date-order.ts";
import { isBound, isLowerBound } from "./dates.ts";
import type { Section } from "./page.ts";

/** Words for the day when calls begin to fail. */
const ending =
  /\b(?:retir\w+|shut(?:s|ting)?[\s-]?(?:down|off)|(?:turn|switch)\w* off|stop\w* working|sunset\w*|remov\w+|discontinu\w+|decommission\w*|end[\s-]of[\s-]life|no longer (?:be )?(?:available|accessible|supported))\b/i;
const deprecating = /\bdeprecat\w+/i;
const onTheWayOut =
  /\b(?:deprecated|retired|retiring|legacy|eol|end[\s-]of[\s-]life|discontinued|shut down)\b/i;
/** Words instead of a date: a year, or a promise to give one. */
const openEnd = /\b20\d\d\b|\btb[adc]\b|\bto be (?:determined|announced|confirmed)\b|\bsoon\b/i;

/** Whether a status or a heading says that its models are ending. */
export const saysEnded = (text: string): boolean => onTheWayOut.test(text);

const active =
  /^(?:active|ga|general(?:ly)? availab\w*|available|current|(?:public |private )?preview|stable|supported|live)\b/i;
const over = /\b(?:retired|shut ?down|shut off|discontinued|removed|eol|end[\s-]of[\s-]life)\b/i;

/** The state that a status or a heading gives its models; empty if none. */
export function stateIn(text: string): PageState {
  const words = text.trim();
  if (/\b(?:deprecated|legacy|retiring)\b/i.test(words)) return "deprecated";
  if (over.test(words)) return "shutdown";
  return active.test(words) ? "active" : "";
}

/** Whether the words instead of a date announce one. */
export const saysOpenEnd = (text: string): boolean => openEnd.test(text);

/** Whether the words instead of a date say that none is planned. */
export const saysNoDate = (text: string): boolean =>
  /^no(?:ne|t)?\b.*\b(?:date|announced|planned|scheduled)\b/i.test(text);

/** Whether the words instead of a date say nothing about an end. */
export const saysNothing = (text: string): boolean =>
  /^n\/?a\b/i.test(text) || saysNoDate(text) || active.test(text);

/** Whether a sentence may be about an end, in words that nothing is read from. */
export const maySpeakOfEnd = (sentence: string): boolean =>
  speaksOfEnd(sentence) ||
  /\b(?:ends?|ending|eol|expir\w+|phas\w+ out|ceas\w+|stops?|goes away|go away|last day|final day|unavailable|offline|goodbye|wind\w* down|terminat\w+|withdr\w+|no longer)\b/i.test(
    sentence,
  );

/** Whether a heading or a sentence is about an end. */
export const speaksOfEnd = (sentence: string): boolean =>
  ending.test(sentence) || deprecating.test(sentence);

export type End = Pick<
  Notice,
  "deprecation_date" | "shutdown_date" | "earliest_shutdown_date" | "shutdown_text"
>;
export const noEnd: End = {
  deprecation_date: "",
  shutdown_date: "",
  earliest_shutdown_date: "",
  shutdown_text: "",
};

/**
 * The end given by a sentence such as "Effective May 4, 2026, these models will be retired:". If it only mentions
 * deprecation, its day is not a shutdown date; neither is the day on which customers were informed.
 */
export function endInSentence(sentence: string, order: DateOrder): End | undefined {
  // "Deprecated as of May 4 and retired on June 4": the day behind the end is that of the end.
  const behind = dayThatHolds(afterEnd(sentence), order);
  const day = behind || (isAnnouncement(sentence) ? "" : dayThatHolds(sentence, order));
  if (day === "") return undefined;
  if (ending.test(sentence))
    return isBound(sentence)
      ? {
          ...noEnd,
          earliest_shutdown_date: isLowerBound(sentence) ? day : "",
          shutdown_text: sentence.replaceAll("`", ""),
        }
      : { ...noEnd, shutdown_date: day };
  return deprecating.test(sentence) && !isBound(sentence)
    ? { ...noEnd, deprecation_date: day }
    : undefined;
}

/** From a heading such as "Retirement on May 4, 2026"; a day at the start of a heading means something else. */
export function shutdownInHeadings({ headings, dateOrder }: Section): CalendarDay {
  const days = headings
    .map(({ text }) => afterEnd(text))
    .map((rest) => (isBound(rest) ? "" : dayThatHolds(rest, dateOrder)));
  return days.findLast((day) => day !== "") ?? "";
}

function afterEnd(text: string): string {
  const end = ending.exec(text);
  return end === null ? "" : text.slice(end.index + end[0].length);
}
