import { Temporal } from "temporal-polyfill";

export const tradingDayZone = "America/New_York";
/** When a trading day ends, and the next one begins. */
export const tradingDayEnd: Temporal.PlainTime = Temporal.PlainTime.from({ hour: 17 });

/** The date on which the trading day of this time ends. */
export function tradingDateAt(instant: Temporal.Instant): Temporal.PlainDate {
  const local = instant.toZonedDateTimeISO(tradingDayZone);
  const isOver = Temporal.PlainTime.compare(local.toPlainTime(), tradingDayEnd) >= 0;
  return local.toPlainDate().add({ days: isOver ? 1 : 0 });
}
