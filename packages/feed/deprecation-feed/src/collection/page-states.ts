import type { RolledNotice } from "../extraction/roll-up.ts";
import type { CalendarDay } from "../notice/notice.ts";

/** The page in earlier runs. */
export interface PageBefore {
  /** The models on it in the last good run. */
  readonly listed: readonly RolledNotice[];
  /** Models that recently disappeared before their end: gradual losses count together. */
  readonly recentlyGone: ReadonlySet<string>;
  /** The end of the page (`tailOf`); empty if it cannot be compared. */
  readonly tail: string;
}

/** The page as it was read in this run. */
export interface PageNow {
  readonly listed: readonly RolledNotice[];
  readonly lines: readonly string[];
  readonly tail: string;
  readonly today: CalendarDay;
}
