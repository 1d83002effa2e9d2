import {
  formatWireDate,
  tradingDateAt,
  tradingDayEnd,
  tradingDayZone,
} from "@proj/trading-client/wire";
import { Temporal } from "temporal-polyfill";

/** A trading day. It ends at 5 PM in New York, when the next one begins. */
export interface TradingDay {
  /** Milliseconds since the epoch. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** The date on which it ends. */
  readonly date: Temporal.PlainDate;
}

export function tradingDayAt(time: number): TradingDay {
  const date = tradingDateAt(Temporal.Instant.fromEpochMilliseconds(time));
  return { start: endOf(date.subtract({ days: 1 })), end: endOf(date), date };
}

function endOf(date: Temporal.PlainDate): number {
  return date.toZonedDateTime({ timeZone: tradingDayZone, plainTime: tradingDayEnd })
    .epochMilliseconds;
}

/** The business day on which a trade of this day settles; ignores holidays. */
export function valueDateOf(day: TradingDay, settlementDays: number): Temporal.PlainDate {
  let date = day.date;
  while (isWeekend(date)) date = date.add({ days: 1 });
  for (let left = settlementDays; left > 0; ) {
    date = date.add({ days: 1 });
    if (!isWeekend(date)) left -= 1;
  }
  return date;
}

function isWeekend({ dayOfWeek }: Temporal.PlainDate): boolean {
  return dayOfWeek >= 6;
}

const valueDates = new WeakMap<TradingDay, Map<number, string>>();

/** The value date in the tables' format, MMddyyyy. */
export function valueDateText(day: TradingDay, settlementDays: number): string {
  const known = valueDates.get(day) ?? new Map<number, string>();
  valueDates.set(day, known);
  let text = known.get(settlementDays);
  if (text === undefined) {
    const date = valueDateOf(day, settlementDays);
    text = formatWireDate(date.toZonedDateTime("UTC").epochMilliseconds);
    known.set(settlementDays, text);
  }
  return text;
}
