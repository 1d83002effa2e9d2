import { Temporal } from "temporal-polyfill";

const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const form = /^([A-Za-z]+) (\d\d):(\d\d)$/;

/** A local time of the week. */
export interface WeekTime {
  /** Days after Monday. */
  readonly day: number;
  readonly time: Temporal.PlainTime;
}

/** @throws TypeError the text does not have the form `Sunday 17:00` */
export function parseWeekTime(text: string): WeekTime {
  const [, name, hours, minutes] = form.exec(text) ?? [];
  const day = days.indexOf(name ?? "");
  const hour = Number(hours);
  const minute = Number(minutes);
  if (day === -1 || hour > 23 || minute > 59) {
    throw new TypeError(
      `${JSON.stringify(text)} is not a time of a week: write a day and an hour, like "Sunday 17:00"`,
    );
  }
  return { day, time: Temporal.PlainTime.from({ hour, minute }) };
}

const localForm = /^\d{4}-\d\d-\d\d \d\d:\d\d$/;
const yearlyForm = /^\d\d-\d\d \d\d:\d\d$/;

/** Whether the time recurs every year, like `12-24 13:00`. */
export function isYearly(text: string): boolean {
  return yearlyForm.test(text);
}

/**
 * @param year used if the text has none
 * @throws TypeError the text does not have the form `2026-12-24 13:00`, or there is no such day or hour
 */
export function parseLocalTime(text: string, timeZone: string, year = 2000): Temporal.Instant {
  const whole = isYearly(text) ? `${String(year).padStart(4, "0")}-${text}` : text;
  try {
    if (localForm.test(whole)) {
      return Temporal.PlainDateTime.from(whole).toZonedDateTime(timeZone).toInstant();
    }
  } catch {
    // Reported below.
  }
  throw new TypeError(
    `${JSON.stringify(text)} is not a local time: write a date and an hour, like "2026-12-24 13:00"`,
  );
}

/** The instant of a time in the week that begins on this Monday. */
export function inWeek(
  monday: Temporal.PlainDate,
  { day, time }: WeekTime,
  timeZone: string,
): Temporal.Instant {
  return monday.add({ days: day }).toZonedDateTime({ timeZone, plainTime: time }).toInstant();
}
