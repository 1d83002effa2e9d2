import ical, { ICalEventTransparency } from "ical-generator";
import { startOf } from "../calendar-day.ts";
import type { KnownNotice } from "../collection/catalogue.ts";
import { noticeId } from "./item-id.ts";
import { noticeText } from "./item-text.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** A whole-day event for every shutdown that has a date (RFC 5545). */
export function calendar(url: string, title: string, notices: readonly KnownNotice[]): string {
  const events = notices.filter(({ shutdown_date }) => shutdown_date !== "").map(event);
  const prodId = { company: "deprecation-feed", product: "model shutdowns", language: "EN" };
  return `${ical({ name: title, prodId, url, events }).toString().trimEnd()}\r\n`;
}

function event(notice: KnownNotice) {
  const start = startOf(notice.shutdown_date);
  return {
    id: noticeId(notice.slug, notice.model_id),
    start,
    end: new Date(start.getTime() + dayMs),
    allDay: true,
    timezone: "UTC",
    // Not the time of writing, or every run would change every event.
    stamp: new Date(notice.date_modified),
    summary: `${notice.provider}: ${notice.model_id} shuts down`,
    description: noticeText(notice),
    url: notice.url,
    transparency: ICalEventTransparency.TRANSPARENT,
  };
}
