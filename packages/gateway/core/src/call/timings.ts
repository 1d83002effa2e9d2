/** Times of events, in milliseconds of `performance.now()`; 0 means not yet, or never. */
export interface CallTimings {
  /** Wall clock at the start, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly started: number;
  bodyRead: number;
  /** The wait for a place on the route began, and ended with one. */
  queued: number;
  placed: number;
  /** The (last) upstream attempt began, its headers came, its first body byte came, its body ended. */
  forwarded: number;
  headersCame: number;
  firstByte: number;
  upstreamEnded: number;
}

export function startTimings(): CallTimings {
  return {
    startedAt: Date.now(),
    started: performance.now(),
    bodyRead: 0,
    queued: 0,
    placed: 0,
    forwarded: 0,
    headersCame: 0,
    firstByte: 0,
    upstreamEnded: 0,
  };
}

export interface CallDurations {
  /** All in milliseconds; null for a stage that was never reached. */
  readonly ttft_ms: number | null;
  readonly upstream_ms: number | null;
  /** All time spent neither in the queue nor on the upstream. */
  readonly gateway_ms: number;
  readonly queue_ms: number;
}

/** The durations so far. */
export function durationsOf(timings: CallTimings): CallDurations {
  const { started, queued, placed, forwarded, firstByte, upstreamEnded } = timings;
  const now = performance.now();
  const queue_ms = queued === 0 ? 0 : (placed === 0 ? now : placed) - queued;
  const upstream_ms =
    forwarded === 0 ? null : (upstreamEnded === 0 ? now : upstreamEnded) - forwarded;
  return {
    ttft_ms: firstByte === 0 ? null : milliseconds(firstByte - forwarded),
    upstream_ms: upstream_ms === null ? null : milliseconds(upstream_ms),
    gateway_ms: milliseconds(now - started - queue_ms - (upstream_ms ?? 0)),
    queue_ms: milliseconds(queue_ms),
  };
}

/** Rounded to whole microseconds: more would be noise. */
function milliseconds(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** The second formatted last, and its text up to the milliseconds. */
let lastSecond = Number.NaN;
let lastText = "";

const thousandths = Array.from(
  { length: 1_000 },
  (_, index) => `${String(index).padStart(3, "0")}Z`,
);

/**
 * Equals `Date.prototype.toISOString`, which takes longer than hashing a small body.
 * @param time whole milliseconds since the epoch
 */
export function isoTime(time: number): string {
  const second = Math.floor(time / 1_000);
  if (second !== lastSecond) {
    lastText = new Date(time).toISOString().slice(0, -"000Z".length);
    lastSecond = second;
  }
  return lastText + thousandths[time - second * 1_000];
}
