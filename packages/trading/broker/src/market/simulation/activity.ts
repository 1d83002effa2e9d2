import { type TradingDay, tradingDayAt } from "../../instruments/trading-day.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Trading days per year: 52 weeks of five. */
const tradingDays = 52 * 5;
const yearMs = tradingDays * 24 * hourMs;

/**
 * Variance of each hour, starting at 17:00 in New York, as a multiple of the day's mean: the roll, Tokyo from
 * 19:00, London from 3:00, New York from 8:00.
 */
const hourly = [
  ...[0.3, 0.35, 0.75, 0.9, 0.8, 0.65, 0.55, 0.5, 0.5, 0.75],
  ...[1.5, 1.55, 1.25, 1.05, 1.05, 1.7, 2, 1.9, 1.55, 1.1, 0.85, 0.75, 0.65, 0.5],
];
const mean = hourly.reduce((sum, variance) => sum + variance, 0) / hourly.length;
/** A weekend moves a market about as much as two hours of a weekday. */
const closed = 0.04;

/** A market's volatility and spreads by the hour in New York. */
export class Activity {
  #day: TradingDay | null = null;

  /** The share of a year's variance that falls between two times. */
  between(from: number, to: number): number {
    let sum = 0;
    for (let at = from; at < to; ) {
      const day = this.#dayOf(at);
      const hour = Math.floor((at - day.start) / hourMs);
      const end = Math.min(to, day.start + (hour + 1) * hourMs);
      // The extra hour of a clock change counts as quiet.
      sum += ((end - at) * (hourly[hour] ?? mean)) / mean;
      at = end;
    }
    return sum / yearMs;
  }

  /** The usual share of a year's variance in this stretch. */
  mean(milliseconds: number): number {
    return milliseconds / yearMs;
  }

  /** The share of a day's activity that falls into this stretch; none at weekends. */
  share(from: number, milliseconds: number): number {
    const { date } = this.#dayOf(from);
    return date.dayOfWeek > 5 ? 0 : this.between(from, from + milliseconds) * tradingDays;
  }

  /** The share of a year's variance in a time without trading. */
  whileClosed(from: number, to: number): number {
    return ((to - from) * closed) / yearMs;
  }

  /** The spread at a time as a multiple of the usual one; wider at the roll, when banks leave. */
  spreadFactor(time: number): number {
    const { start, end } = this.#dayOf(time);
    const [after, before] = [(time - start) / minuteMs, (end - time) / minuteMs];
    if (after < 15) return 5;
    if (after < 60) return 2.5;
    if (before <= 5) return 3;
    return before <= 30 || after < 120 ? 1.5 : 1;
  }

  #dayOf(time: number): TradingDay {
    const known = this.#day;
    if (known !== null && known.start <= time && time < known.end) return known;
    this.#day = tradingDayAt(time);
    return this.#day;
  }
}
