import { Temporal } from "temporal-polyfill";
import { forexHoursConfig, type MarketHoursConfig, type WeeklySession } from "./hours-config.ts";
import { inWeek, parseWeekTime, type WeekTime } from "./week-time.ts";

/** `opening`: within the window in which the market opens; it may be open already. */
export type MarketPhase = "closed" | "opening" | "open";

/** The window in which a market opens; both ends are the same where the moment is exact. */
export interface MarketOpening {
  readonly from: Temporal.Instant;
  readonly by: Temporal.Instant;
}

/** When a market trades, for any instant. */
export interface MarketHours {
  readonly config: MarketHoursConfig;
  phase(at: Temporal.Instant): MarketPhase;
  /** Whether it is open for certain. */
  isOpen(at: Temporal.Instant): boolean;
  /** The first opening that is not over; within its window, the one that is going on. */
  nextOpening(at: Temporal.Instant): MarketOpening;
  /** The first closing after this instant. */
  nextClosing(at: Temporal.Instant): Temporal.Instant;
}

/** A session of one particular week; it is open until just before `closes`. */
interface Session extends MarketOpening {
  readonly closes: Temporal.Instant;
}

/**
 * Hours that repeat each week in local time, so that they keep to it over changes of daylight
 * saving.
 * @throws TypeError an unknown time zone or day, no session, or a session that ends as it begins
 */
export function createMarketHours(config: MarketHoursConfig): MarketHours {
  const weekly = config.sessions.map(parseSession);
  if (weekly.length === 0) throw new TypeError("Market hours must have a session");
  const timeZone = checkTimeZone(config.time_zone);

  function* sessionsAround(at: Temporal.Instant): Generator<Session> {
    const today = at.toZonedDateTimeISO(timeZone).toPlainDate();
    const monday = today.subtract({ days: today.dayOfWeek - 1 });
    // A session of last week may still run; next week's may be the next, if this week's are over.
    for (const weeks of [-1, 0, 1, 2]) {
      const start = monday.add({ weeks });
      for (const { opens, opensBy, closes } of weekly) {
        yield {
          from: inWeek(start, opens, timeZone),
          by: inWeek(weekOf(start, opens, opensBy), opensBy, timeZone),
          closes: inWeek(weekOf(start, opens, closes), closes, timeZone),
        };
      }
    }
  }

  function phase(at: Temporal.Instant): MarketPhase {
    let found: MarketPhase = "closed";
    for (const { from, by, closes } of sessionsAround(at)) {
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
      const coming = [...sessionsAround(at)].filter(({ by }) => isBefore(at, by));
      const { from, by } = first(coming, (session) => session.from);
      return { from, by };
    },
    nextClosing: (at) => {
      const running = [...sessionsAround(at)].filter(({ closes }) => isBefore(at, closes));
      return first(running, (session) => session.closes).closes;
    },
  };
}

/** Foreign exchange: Sunday 5:00 to 5:15 PM until Friday 4:55 PM in New York. */
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
    throw new TypeError(`A session must not end when it begins, at ${opens}`);
  }
  return session;
}

function compare(a: WeekTime, b: WeekTime): number {
  return a.day - b.day || Temporal.PlainTime.compare(a.time, b.time);
}

/** A time of the week that comes before the opening belongs to the week after. */
function weekOf(start: Temporal.PlainDate, opens: WeekTime, other: WeekTime): Temporal.PlainDate {
  return compare(other, opens) < 0 ? start.add({ weeks: 1 }) : start;
}

function first(
  sessions: readonly Session[],
  instant: (session: Session) => Temporal.Instant,
): Session {
  return sessions.reduce((a, b) => (isBefore(instant(b), instant(a)) ? b : a));
}

function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0;
}

function checkTimeZone(timeZone: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone).timeZoneId;
  } catch (error) {
    throw new TypeError(
      `${JSON.stringify(timeZone)} is no time zone: write its IANA name, like America/New_York`,
      { cause: error },
    );
  }
}
