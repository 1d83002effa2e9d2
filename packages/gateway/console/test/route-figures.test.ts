import type { RouteTraffic } from "@proj/gateway-protocol";
import { expect, test } from "vitest";
import { seriesOf } from "../src/page/overview/route-figures.ts";

/** Two intervals of 20 seconds. */
const traffic: RouteTraffic = {
  ...{ calls: [10, 10], failed: [0, 1], completion_tokens: [400, 400] },
  ...{ p50_ms: [null, 1500], p95_ms: [null, 2500], ttft_p50_ms: [null, 250] },
};

const drawn = (interval_elapsed_ms: number) => {
  const all = seriesOf(traffic, { interval_ms: 20_000, interval_elapsed_ms }, 60_000);
  return Object.values(all).flatMap(({ lines }) => lines.map(({ name, values }) => [name, values]));
};

test("rates of the interval under way are over the part that has passed", () => {
  expect(drawn(10_000)).toEqual([
    ["calls", [30, 60]],
    ["failed", [0, 6]],
    ["first byte p50", [null, 0.25]],
    ["p50", [null, 1.5]],
    ["p95", [null, 2.5]],
    ["tokens", [20, 40]],
  ]);
});

test("a call that has just ended does not look like a burst", () => {
  expect(drawn(1).slice(0, 1)).toEqual([["calls", [30, 120]]]);
});

test("times are the ends of the intervals, the latest is now", () => {
  const all = seriesOf(traffic, { interval_ms: 20_000, interval_elapsed_ms: 0 }, 60_000);
  expect(all.calls.times).toEqual([40, 60]);
});
