import type { CallTimings } from "../call/timings.ts";

/**
 * `Server-Timing` (W3C Server Timing) for an answer whose head is about to be written: the gateway's own time
 * so far, the wait for a place on the route, and the upstream's time to its first byte.
 */
export function serverTiming(timings: CallTimings): string {
  const { started, queued, placed, forwarded, firstByte, headersCame, upstreamEnded } = timings;
  const now = performance.now();
  const queue = queued === 0 ? 0 : (placed === 0 ? now : placed) - queued;
  const upstreamUntil = upstreamEnded !== 0 ? upstreamEnded : headersCame !== 0 ? headersCame : now;
  const upstream = forwarded === 0 ? 0 : upstreamUntil - forwarded;
  const ttfb = forwarded === 0 ? 0 : (firstByte || headersCame || now) - forwarded;
  const own = now - started - queue - upstream;
  return `${gatewayTime(own)}, queue;dur=${decimal(queue)}, upstream;dur=${decimal(ttfb)}`;
}

/** The metric of the gateway's own time, the only one if nothing is forwarded. */
export function gatewayTime(milliseconds: number): string {
  return `gateway;dur=${decimal(milliseconds)}`;
}

const thousandths = Array.from({ length: 1_000 }, (_, index) => String(index).padStart(3, "0"));

/**
 * With three decimals; `toFixed` takes ten times as long. Two different clocks may yield slightly less than
 * zero.
 */
function decimal(milliseconds: number): string {
  const microseconds = Math.max(Math.round(milliseconds * 1_000), 0);
  const whole = Math.floor(microseconds / 1_000);
  return `${whole}.${thousandths[microseconds - whole * 1_000]}`;
}
