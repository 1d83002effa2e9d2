import { expect, test } from "vitest";
import {
  intervalElapsedMs,
  intervalMs,
  keptIntervals,
  RouteTraffic,
} from "../../src/routes/route-traffic.ts";

const ended = (duration_ms: number, status_code = 200, ttft_ms: number | null = null) => ({
  status_code,
  duration_ms,
  ttft_ms,
  completion_tokens: null,
});

test("an hour is kept in intervals, and older ones are dropped", () => {
  let now = 0;
  const traffic = new RouteTraffic(() => now);
  traffic.ended(ended(100));
  traffic.ended(ended(100, 502));
  now = intervalMs + 1;
  expect(intervalElapsedMs(now)).toBe(1);
  for (const completion_tokens of [12, null, Number.NaN])
    traffic.ended({ ...ended(100, 200, 30), completion_tokens });
  const { calls, failed, completion_tokens, ttft_p50_ms } = traffic.recent();
  expect(calls).toHaveLength(keptIntervals);
  expect(calls.slice(-3)).toEqual([0, 2, 3]);
  expect(failed.slice(-3)).toEqual([0, 1, 0]);
  expect(completion_tokens.slice(-2)).toEqual([0, 12]);
  expect(ttft_p50_ms.slice(-2)).toEqual([null, expect.closeTo(30, -1)]);
  now = intervalMs * keptIntervals;
  expect(traffic.recent().calls.reduce((sum, count) => sum + count)).toBe(3);
  now = 3 * intervalMs * keptIntervals;
  expect(traffic.recent().calls.every((count) => count === 0)).toBe(true);
  expect(traffic.recent().calls).toHaveLength(keptIntervals);
});

test("quantiles are within a fifth, whatever the durations", () => {
  const traffic = new RouteTraffic(() => 0);
  for (let ms = 1; ms <= 1000; ms += 1) traffic.ended(ended(ms));
  const { p50_ms, p95_ms } = traffic.recent();
  expect(Math.abs((p50_ms.at(-1) ?? 0) / 500 - 1)).toBeLessThan(0.2);
  expect(Math.abs((p95_ms.at(-1) ?? 0) / 950 - 1)).toBeLessThan(0.2);
  const other = new RouteTraffic(() => 0);
  for (const ms of [0, -1, Number.NaN, 1e12]) other.ended(ended(ms));
  expect(other.recent().calls.at(-1)).toBe(4);
});
