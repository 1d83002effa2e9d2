import ical, { ICalEventStatus, ICalEventTransparency } from "ical-generator";
import type { KnownNotice } from "../collection/catalogue.ts";
import { dayMs, startOf } from "../notice/calendar-day.ts";
import type { CalendarDay } from "../notice/notice.ts";
import { noticeId } from "./item-id.ts";
import { noticeText } from "./item-text.ts";

/**
 * An all-day event for every shutdown date, and a tentative one for the earliest day on which a model may end
 * (RFC 5545). Calendars that support RFC 7986 refresh it once a day.
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
    // Not the time of writing: that would change every event in every run.
    stamp: new Date(notice.date_modified),
    status: isCertain ? ICalEventStatus.CONFIRMED : ICalEventStatus.TENTATIVE,
    summary: `${notice.provider}: ${notice.model_id} ${isCertain ? "shuts down" : "may shut down from this day on"}`,
    description: noticeText(notice),
    url: notice.url,
    transparency: ICalEventTransparency.TRANSPARENT,
  };
}
