import { Temporal } from "temporal-polyfill";
import {
  forexHoursConfig,
  type MarketHoliday,
  type MarketHoursConfig,
  type WeeklySession,
} from "./hours-config.ts";
import {
  type Holiday,
  isBefore,
  type MarketOpening,
  type Session,
  withoutHolidays,
} from "./session.ts";
import { inWeek, isYearly, parseLocalTime, parseWeekTime, type WeekTime } from "./week-time.ts";

/** `opening`: within the window in which the market opens; it may already be open. */
export type MarketPhase = "closed" | "opening" | "open";

/** When a market trades, for any instant. */
export interface MarketHours {
  readonly config: MarketHoursConfig;
  phase(at: Temporal.Instant): MarketPhase;
  /** Whether it is certainly open. */
  isOpen(at: Temporal.Instant): boolean;
  /** The next opening; during an opening window, the current one. */
  nextOpening(at: Temporal.Instant): MarketOpening;
  /** The first closing after this instant. */
  nextClosing(at: Temporal.Instant): Temporal.Instant;
}

/**
 * Weekly hours, less holidays. They repeat in local time, and so follow daylight saving time.
 * @throws TypeError an unknown time zone or day; no session; a session or holiday of no length
 */
export function createMarketHours(config: MarketHoursConfig): MarketHours {
  const weekly = config.sessions.map(parseSession);
  if (weekly.length === 0) throw new TypeError("Market hours must have at least one session");
  const timeZone = checkTimeZone(config.time_zone);
  const holidaysOf = holidayCalendar(config.holidays ?? [], timeZone);

  /** @param weeks after the week of `at` */
  function sessionsOf(at: Temporal.Instant, weeks: number): readonly Session[] {
    const today = at.toZonedDateTimeISO(timeZone).toPlainDate();
    const monday = today.subtract({ days: today.dayOfWeek - 1 }).add({ weeks });
    return weekly.flatMap(({ opens, opensBy, closes }) => {
      const session = {
        from: inWeek(monday, opens, timeZone),
        by: inWeek(weekOf(monday, opens, opensBy), opensBy, timeZone),
        closes: inWeek(weekOf(monday, opens, closes), closes, timeZone),
      };
      return withoutHolidays(session, holidaysOf(monday.year));
    });
  }

  /**
   * The wanted session that comes first by the given instant. One exists, because holidays end.
   */
  function firstSession(
    at: Temporal.Instant,
    isWanted: (session: Session) => boolean,
    instant: (session: Session) => Temporal.Instant,
  ): Session {
    let first: Session | null = null;
    // A session from last week may still be running.
    for (let weeks = -1; ; weeks += 1) {
      const found = first;
      for (const session of sessionsOf(at, weeks).filter(isWanted)) {
        if (first === null || isBefore(instant(session), instant(first))) first = session;
      }
      // A session may run into the week after its opening, so check one more week.
      if (found !== null && first !== null) return first;
    }
  }

  function phase(at: Temporal.Instant): MarketPhase {
    let found: MarketPhase = "closed";
    for (const { from, by, closes } of [...sessionsOf(at, -1), ...sessionsOf(at, 0)]) {
      if (isBefore(at, from) || !isBefore(at, closes)) continue;
      if (!isBefore(at, by)) return "open";
      found = "opening";
    }
    return found;
  }

  return {
    config,
    phase,
    isOpen: (at) => phase(at) === "open",
    nextOpening: (at) => {
      const isComing = ({ by }: Session): boolean => isBefore(at, by);
      const { from, by } = firstSession(at, isComing, (session) => session.from);
      return { from, by };
    },
    nextClosing: (at) => {
      const isToClose = ({ closes }: Session): boolean => isBefore(at, closes);
      return firstSession(at, isToClose, (session) => session.closes).closes;
    },
  };
}

/** Forex: Sunday 5:00 to 5:15 PM until Friday 4:55 PM in New York. */
export const forexHours: MarketHours = createMarketHours(forexHoursConfig);

interface ParsedSession {
  readonly opens: WeekTime;
  readonly opensBy: WeekTime;
  readonly closes: WeekTime;
}

function parseSession({ opens, opens_by = opens, closes }: WeeklySession): ParsedSession {
  const session = {
    opens: parseWeekTime(opens),
    opensBy: parseWeekTime(opens_by),
    closes: parseWeekTime(closes),
  };
  if (compare(session.opens, session.closes) === 0) {
    throw new TypeError(`A session must not end at the time it begins, ${opens}`);
  }
  return session;
}

/** The holidays that may overlap a session in a week of this year. */
function holidayCalendar(
  holidays: readonly MarketHoliday[],
  timeZone: string,
): (year: number) => readonly Holiday[] {
  const once = holidays.filter(({ closes }) => !isYearly(closes));
  const yearly = holidays.filter(({ closes }) => isYearly(closes));
  const dated = once.map((holiday) => parseHoliday(holiday, timeZone));
  const known = new Map<number, readonly Holiday[]>();
  const holidaysOf = (year: number): readonly Holiday[] => {
    const found =
      known.get(year) ??
      // A week may span two years, and a holiday may end in the next year.
      [-1, 0, 1].flatMap((more) => yearly.map((day) => parseHoliday(day, timeZone, year + more)));
    known.set(year, found);
    return yearly.length === 0 ? dated : [...dated, ...found];
  };
  holidaysOf(2000);
  return holidaysOf;
}

function parseHoliday(
  { closes, opens, opens_by = opens }: MarketHoliday,
  timeZone: string,
  year?: number,
): Holiday {
  if (isYearly(closes) !== isYearly(opens) || isYearly(opens) !== isYearly(opens_by)) {
    throw new TypeError(
      `Either all times of a holiday have a year or none does; those of ${closes} are mixed`,
    );
  }
  // A holiday that begins in December may end in January.
  const next = year !== undefined && opens < closes ? year + 1 : year;
  const holiday = {
    closes: parseLocalTime(closes, timeZone, year),
    from: parseLocalTime(opens, timeZone, next),
    by: parseLocalTime(opens_by, timeZone, next),
  };
  if (isBefore(holiday.closes, holiday.from) && !isBefore(holiday.by, holiday.from)) return holiday;
  throw new TypeError(
    `A holiday must begin before it ends, but begins at ${closes} and ends at ${opens}`,
  );
}

function compare(a: WeekTime, b: WeekTime): number {
  return a.day - b.day || Temporal.PlainTime.compare(a.time, b.time);
}

/** A time of the week before the opening belongs to the following week. */
function weekOf(start: Temporal.PlainDate, opens: WeekTime, other: WeekTime): Temporal.PlainDate {
  return compare(other, opens) < 0 ? start.add({ weeks: 1 }) : start;
}

function checkTimeZone(timeZone: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone).timeZoneId;
  } catch (error) {
    throw new TypeError(
      `${JSON.stringify(timeZone)} is not a time zone: write its IANA name, like America/New_York`,
      { cause: error },
    );
  }
}
