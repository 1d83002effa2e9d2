import type { CalendarDay } from "./notice.ts";

export const dayMs: number = 24 * 60 * 60 * 1000;

/** The day in UTC. */
export const dayOf = (time: Date): CalendarDay => time.toISOString().slice(0, 10);

/** The start of a day in UTC. */
export const startOf = (day: CalendarDay): Date => new Date(`${day}T00:00:00Z`);

/** Whole days; negative if `to` is earlier. */
export const daysBetween = (from: CalendarDay, to: CalendarDay): number =>
  Math.round((startOf(to).getTime() - startOf(from).getTime()) / dayMs);

/** Whether a text is a valid calendar day. */
export function isCalendarDay(text: string): text is CalendarDay {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = startOf(text).getTime();
  return !Number.isNaN(time) && dayOf(new Date(time)) === text;
}
