import type { CalendarDay } from "../notice/notice.ts";
import { dayAtStart, firstDay } from "./dates.ts";
import { type Section, sentencesOf } from "./page.ts";

const announcing = /\b(?:notif(?:y|ied)|announc(?:e|ed|ing)|e-?mailed|informed)\b/i;

/** Whether a sentence says when customers were informed, not when a model ends. */
export const isAnnouncement = (sentence: string): boolean => announcing.test(sentence);

/** From headings such as `2026-04-14: Older models`, the innermost first. */
export function announcementInHeadings({ headings, dateOrder }: Section): CalendarDay {
  return (
    headings.map(({ text }) => dayAtStart(text, dateOrder)).findLast((day) => day !== "") ?? ""
  );
}

/** From a section's sentences: "On April 14, 2026, we emailed …". */
export function announcementInSentences(section: Section): CalendarDay {
  const sentences = sentencesOf(section.blocks).filter(isAnnouncement);
  const days = sentences.map((sentence) => firstDay(sentence, section.dateOrder));
  return days.find((day) => day !== "") ?? "";
}
