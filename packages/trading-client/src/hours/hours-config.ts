/**
 * A stretch of each week in which a market is open, in its own local time. Times have the form
 * `Sunday 17:00`.
 */
export interface WeeklySession {
  readonly opens: string;
  /**
   * Where the opening is no exact moment: when it has happened for certain.
   * @default the same as `opens`
   */
  readonly opens_by?: string;
  readonly closes: string;
}

/**
 * A stretch in which a market is closed although its week says otherwise, be it a day, some hours,
 * or a fortnight. Times are local and have the form `2026-12-24 13:00`.
 */
export interface MarketHoliday {
  readonly closes: string;
  /** The market is open again from then on, where its week says so. */
  readonly opens: string;
  /** See WeeklySession. @default the same as `opens` */
  readonly opens_by?: string;
}

/** When a market trades, as it stands in a server's configuration. */
export interface MarketHoursConfig {
  /** IANA name. */
  readonly time_zone: string;
  readonly sessions: readonly WeeklySession[];
  /** @default [] */
  readonly holidays?: readonly MarketHoliday[];
}

/** The specification, "What the service does", 5: both ends are "between" and "around". */
export const forexHoursConfig: MarketHoursConfig = {
  time_zone: "America/New_York",
  sessions: [{ opens: "Sunday 17:00", opens_by: "Sunday 17:15", closes: "Friday 16:55" }],
};
