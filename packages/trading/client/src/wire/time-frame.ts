export type TimeFrame =
  | "m1"
  | "m5"
  | "m15"
  | "m30"
  | "h1"
  | "h2"
  | "h3"
  | "h4"
  | "h6"
  | "h8"
  | "D1"
  | "W1"
  | "M1";

export interface TimeFrameLimits {
  /**
   * Length of a candle in milliseconds; its time is a multiple of this since the epoch. Null for days,
   * weeks and months, which begin at 5 PM in New York.
   */
  readonly durationMs: number | null;
  /** How far back candles are available, in days; null: no limit. */
  readonly maxDaysBack: number | null;
  /** Most candles per request; null: no limit. */
  readonly maxCandles: number | null;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const maxCandles = 10_000;
const unlimited: TimeFrameLimits = { durationMs: null, maxDaysBack: null, maxCandles: null };

/** The limits of a candle download (docs/interfaces.md, "Trading: limits"). */
export const timeFrames: Readonly<Record<TimeFrame, TimeFrameLimits>> = {
  m1: { durationMs: minuteMs, maxDaysBack: 16, maxCandles },
  m5: { durationMs: 5 * minuteMs, maxDaysBack: 56, maxCandles },
  m15: { durationMs: 15 * minuteMs, maxDaysBack: 212, maxCandles },
  m30: { durationMs: 30 * minuteMs, maxDaysBack: 316, maxCandles },
  h1: { durationMs: hourMs, maxDaysBack: 624, maxCandles },
  h2: { durationMs: 2 * hourMs, maxDaysBack: 1224, maxCandles },
  h3: { durationMs: 3 * hourMs, maxDaysBack: 2056, maxCandles },
  h4: { durationMs: 4 * hourMs, maxDaysBack: 2664, maxCandles },
  h6: { durationMs: 6 * hourMs, maxDaysBack: 3632, maxCandles },
  h8: { durationMs: 8 * hourMs, maxDaysBack: 5128, maxCandles },
  D1: unlimited,
  W1: unlimited,
  M1: unlimited,
};

export const timeFrameIds: readonly TimeFrame[] = [
  "m1",
  "m5",
  "m15",
  "m30",
  "h1",
  "h2",
  "h3",
  "h4",
  "h6",
  "h8",
  "D1",
  "W1",
  "M1",
];

/**
 * Reads a period id. Case matters only for `m1`, a minute, and `M1`, a month.
 * @returns undefined if there is no such time frame
 */
export function parseTimeFrame(period_id: string): TimeFrame | undefined {
  return timeFrameIds.find(
    (id) => id === period_id || (!/^m/i.test(id) && id.toLowerCase() === period_id.toLowerCase()),
  );
}
