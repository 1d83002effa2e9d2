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

/** When a market trades, as it stands in a server's configuration. */
export interface MarketHoursConfig {
  /** IANA name. */
  readonly time_zone: string;
  readonly sessions: readonly WeeklySession[];
}

/** The specification, "What the service does", 5: both ends are "between" and "around". */
export const forexHoursConfig: MarketHoursConfig = {
  time_zone: "America/New_York",
  sessions: [{ opens: "Sunday 17:00", opens_by: "Sunday 17:15", closes: "Friday 16:55" }],
};
