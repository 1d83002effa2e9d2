import ical, { ICalEventStatus, ICalEventTransparency } from "ical-generator";
import type { KnownNotice } from "../collection/catalogue.ts";
import { dayMs, startOf } from "../notice/calendar-day.ts";
import type { CalendarDay } from "../notice/notice.ts";
import { noticeId } from "./item-id.ts";
import { noticeText } from "./item-text.ts";

/**
 * A whole-day event for every shutdown that has a date, and a tentative one for the first day on which
 * a model may end (RFC 5545). Calendars that know RFC 7986 ask again once a day.
 */
export function calendar(url: string, title: string, notices: readonly KnownNotice[]): string {
  const events = notices.filter((notice) => dayOf(notice) !== "").map(event);
  const prodId = { company: "deprecation-feed", product: "model shutdowns", language: "EN" };
  return `${ical({ name: title, prodId, url, events, ttl: secondsPerDay }).toString().trimEnd()}\r\n`;
}

const secondsPerDay = 24 * 60 * 60;
const dayOf = (notice: KnownNotice): CalendarDay =>
  notice.shutdown_date || notice.earliest_shutdown_date;

function event(notice: KnownNotice) {
  const isCertain = notice.shutdown_date !== "";
  const start = startOf(dayOf(notice));
  return {
    id: noticeId(notice.slug, notice.model_id),
    start,
    end: new Date(start.getTime() + dayMs),
    allDay: true,
    timezone: "UTC",
    // Not the time of writing, or every run would change every event.
    stamp: new Date(notice.date_modified),
    status: isCertain ? ICalEventStatus.CONFIRMED : ICalEventStatus.TENTATIVE,
    summary: `${notice.provider}: ${notice.model_id} ${isCertain ? "shuts down" : "may shut down from here on"}`,
    description: noticeText(notice),
    url: notice.url,
    transparency: ICalEventTransparency.TRANSPARENT,
  };
}
