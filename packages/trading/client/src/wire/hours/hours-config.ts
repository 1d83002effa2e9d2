/**
 * A weekly period in which a market is open, in the market's local time. Times have the form
 * `Sunday 17:00`.
 */
export interface WeeklySession {
  readonly opens: string;
  /**
   * For an opening without an exact time: when the market has certainly opened.
   * @default the same as `opens`
   */
  readonly opens_by?: string;
  readonly closes: string;
}

/**
 * A period in which a market is closed despite its weekly sessions: hours, a day, or longer. Times are
 * local and have the form `2026-12-24 13:00`, or `12-24 13:00` if the holiday recurs every year; all
 * times of one holiday must use the same form.
 */
export interface MarketHoliday {
  readonly closes: string;
  /** From then on the weekly sessions apply again. */
  readonly opens: string;
  /** See WeeklySession. @default the same as `opens` */
  readonly opens_by?: string;
}

/** Trading hours as written in a server's configuration. */
export interface MarketHoursConfig {
  /** IANA name. */
  readonly time_zone: string;
  readonly sessions: readonly WeeklySession[];
  /** @default [] */
  readonly holidays?: readonly MarketHoliday[];
}

/**
 * docs/interfaces.md, "What the trading service does", which gives both ends only approximately. Closed on
 * Christmas Day and New Year's Day.
 */
export const forexHoursConfig: MarketHoursConfig = {
  time_zone: "America/New_York",
  sessions: [{ opens: "Sunday 17:00", opens_by: "Sunday 17:15", closes: "Friday 16:55" }],
  holidays: [
    { closes: "12-24 17:00", opens: "12-25 17:00", opens_by: "12-25 17:15" },
    { closes: "12-31 17:00", opens: "01-01 17:00", opens_by: "01-01 17:15" },
  ],
};
