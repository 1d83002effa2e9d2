import { type TimeFrame, timeFrames } from "@proj/trading-client/wire";
import type { Temporal } from "temporal-polyfill";
import { tradingDayAt } from "../instruments/trading-day.ts";

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * When candles begin. Minutes and hours divide the UTC day; a day is a trading day, a week begins with Monday's
 * trading day and a month with the trading day of its first date.
 */
export class CandleCalendar {
  readonly #known = new Map<TimeFrame, Span>();

  startOf(frame: TimeFrame, time: number): number {
    const { durationMs } = timeFrames[frame];
    if (durationMs !== null) return Math.floor(time / durationMs) * durationMs;
    const known = this.#known.get(frame);
    if (known !== undefined && known.start <= time && time < known.end) return known.start;
    const span = spanOf(frame, time);
    this.#known.set(frame, span);
    return span.start;
  }
}

function spanOf(frame: TimeFrame, time: number): Span {
  const { date, start, end } = tradingDayAt(time);
  if (frame === "D1") return { start, end };
  const first =
    frame === "W1" ? date.subtract({ days: date.dayOfWeek - 1 }) : date.with({ day: 1 });
  const next = frame === "W1" ? first.add({ weeks: 1 }) : first.add({ months: 1 });
  return { start: startOfTradingDay(first), end: startOfTradingDay(next) };
}

function startOfTradingDay(date: Temporal.PlainDate): number {
  return tradingDayAt(date.toZonedDateTime("UTC").add({ hours: 12 }).epochMilliseconds).start;
}
