import { Temporal } from "temporal-polyfill";
import { CandleLimitError } from "../errors/candle-limit-error.ts";
import { InvalidRequestError } from "../errors/invalid-request-error.ts";
import { type TimeFrame, timeFrames } from "../wire/index.ts";

/** Both ends are in seconds since the epoch, and inclusive. */
export interface CandlePage {
  readonly from: number;
  readonly to: number;
}

const dayMs = 24 * 60 * 60_000;

export interface CandleSpan {
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
  readonly clip: boolean;
}

/**
 * Clips a span to its time frame's limit of days.
 * @param now the server's time
 * @throws CandleLimitError it begins too early and `clip` is false
 * @throws InvalidRequestError it ends before it begins
 */
export function limitSpan(
  frame: TimeFrame,
  { from, to, clip }: CandleSpan,
  now: Temporal.Instant,
): Pick<CandleSpan, "from" | "to"> {
  if (Temporal.Instant.compare(from, to) > 0) {
    throw new InvalidRequestError("to", `The candles end at ${to}, before they begin at ${from}`);
  }
  const { maxDaysBack, durationMs } = timeFrames[frame];
  if (maxDaysBack === null || durationMs === null) return { from, to };
  const earliestMs = now.epochMilliseconds - maxDaysBack * dayMs;
  // One candle's grace: time passes between reading the clock and requesting candles.
  if (from.epochMilliseconds >= earliestMs - durationMs) return { from, to };
  const earliest = Temporal.Instant.fromEpochMilliseconds(earliestMs);
  if (!clip) throw new CandleLimitError(frame, maxDaysBack, earliest);
  return { from: earliest, to };
}

/** Divides a span into pages of fewer candles than the limit of a request. */
export function pagesOf(frame: TimeFrame, span: Pick<CandleSpan, "from" | "to">): CandlePage[] {
  const from = Math.ceil(span.from.epochMilliseconds / 1_000);
  const to = Math.floor(span.to.epochMilliseconds / 1_000);
  const { durationMs, maxCandles } = timeFrames[frame];
  if (durationMs === null || maxCandles === null) return [{ from, to }];
  const step = ((maxCandles - 1) * durationMs) / 1_000;
  const pages: CandlePage[] = [];
  for (let start = from; start <= to; start += step) {
    pages.push({ from: start, to: Math.min(to, start + step - 1) });
  }
  return pages;
}
