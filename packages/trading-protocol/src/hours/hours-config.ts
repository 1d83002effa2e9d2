/**
 * A stretch of each week in which a market is open, in its own local time. Times have the form
 * `Sunday 17:00`.
 */
export interface WeeklySession {
  readonly opens: string;
  /**
   * Where the opening has no exact time: when it has happened for certain.
   * @default the same as `opens`
   */
  readonly opens_by?: string;
  readonly closes: string;
}

/**
 * A stretch in which a market is closed although its week says otherwise, be it a day, some hours,
 * or a fortnight. Times are local and have the form `2026-12-24 13:00`, or `12-24 13:00` for the same
 * stretch of every year; all of one holiday have the same form.
 */
export interface MarketHoliday {
  readonly closes: string;
  /** The market is open again from then on, where its week says so. */
  readonly opens: string;
  /** See WeeklySession. @default the same as `opens` */
  readonly opens_by?: string;
}

/** When a market trades, as written in a server's configuration. */
export interface MarketHoursConfig {
  /** IANA name. */
  readonly time_zone: string;
  readonly sessions: readonly WeeklySession[];
  /** @default [] */
  readonly holidays?: readonly MarketHoliday[];
}

/**
 * docs/interfaces.md, "What the trading service does": both ends are "between" and "around". On Christmas Day
 * and New Year's Day nobody trades.
 */
export const forexHoursConfig: MarketHoursConfig = {
  time_zone: "America/New_York",
  sessions: [{ opens: "Sunday 17:00", opens_by: "Sunday 17:15", closes: "Friday 16:55" }],
  holidays: [
    { closes: "12-24 17:00", opens: "12-25 17:00", opens_by: "12-25 17:15" },
    { closes: "12-31 17:00", opens: "01-01 17:00", opens_by: "01-01 17:15" },
  ],
};
