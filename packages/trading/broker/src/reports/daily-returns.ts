import { tradingDayAt } from "../instruments/trading-day.ts";

/** An account at the end of a trading day, 17:00 in New York, or now. Money is in its currency. */
export interface ReportedDay {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly equity: number;
  /** Change of the equity since the day before, as a share of it. */
  readonly return: number;
}

/** Trading days in a year. */
const yearDays = 260;

interface Point {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Cents. */
  readonly equity: number;
}

/**
 * The trading days from an account's first equity point until now; weekends only if its equity changed.
 * @param start its equity before, in cents
 */
export function dailyReturns(
  start: number,
  points: Iterable<Point>,
  now: Point,
): readonly ReportedDay[] {
  const days: ReportedDay[] = [];
  let before = start;
  let equity = start;
  let day: ReturnType<typeof tradingDayAt> | null = null;
  const end = (): void => {
    const isWeekend = day !== null && day.date.dayOfWeek > 5;
    if (day === null || (isWeekend && equity === before)) return;
    const change = before === 0 ? 0 : equity / before - 1;
    days.push({
      ...{ date: day.date.toString(), equity: equity / 100 },
      return: Math.round(change * 1e8) / 1e8,
    });
    before = equity;
  };
  const see = (point: Point): void => {
    day ??= tradingDayAt(point.time);
    while (point.time >= day.end) {
      end();
      day = tradingDayAt(day.end);
    }
    equity = point.equity;
  };
  for (const point of points) see(point);
  if (day !== null) see(now);
  end();
  return days;
}

/** Mean daily return over its deviation, for a year; null: fewer than two days, or no change. */
export function sharpeOf(days: readonly ReportedDay[]): number | null {
  const returns = days.map((day) => day.return);
  const mean = meanOf(returns);
  const variance =
    returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (returns.length - 1);
  return yearly(mean, returns.length < 2 ? 0 : Math.sqrt(variance));
}

/** Mean daily return over the deviation of losses, for a year; null: no day lost. */
export function sortinoOf(days: readonly ReportedDay[]): number | null {
  const returns = days.map((day) => day.return);
  const losses = returns.reduce((sum, value) => sum + Math.min(value, 0) ** 2, 0);
  return yearly(meanOf(returns), returns.length < 2 ? 0 : Math.sqrt(losses / returns.length));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function yearly(mean: number, deviation: number): number | null {
  if (deviation === 0) return null;
  return Math.round((mean / deviation) * Math.sqrt(yearDays) * 1e6) / 1e6;
}
