import type { OverviewBody, RouteOverview, RouteTraffic } from "@proj/gateway-protocol";

/** A route's last hour in figures. */
export interface RouteFigures {
  readonly calls: number;
  readonly failed: number;
  /** From the latest interval in which calls ended; null: none did. */
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  /** Over the last five minutes. */
  readonly tokens_per_s: number;
}

const recentMs = 300_000;

export function figuresOf({ traffic }: RouteOverview, interval_ms: number): RouteFigures {
  const recent = Math.round(recentMs / interval_ms);
  return {
    calls: sum(traffic.calls),
    failed: sum(traffic.failed),
    p50_ms: traffic.p50_ms.findLast((ms) => ms !== null) ?? null,
    p95_ms: traffic.p95_ms.findLast((ms) => ms !== null) ?? null,
    tokens_per_s: (1000 * sum(traffic.completion_tokens.slice(-recent))) / (recent * interval_ms),
  };
}

/** The route with the most calls, which has the most to show. */
export const busiest = (routes: readonly RouteOverview[]): RouteOverview | undefined =>
  routes.toSorted((one, other) => sum(other.traffic.calls) - sum(one.traffic.calls))[0];

/** What a chart draws; `times` are seconds since 1970. */
export interface Series {
  readonly times: readonly number[];
  readonly lines: readonly Line[];
}

export interface Line {
  readonly name: string;
  /** The name of one of the page's colours. */
  readonly colour: "--link" | "--busy" | "--quiet" | "--loss";
  readonly values: readonly (number | null)[];
}

/** Over less than this share of an interval, a single call would look like a burst. */
const leastShare = 1 / 4;

/** What the charts of a route draw. @param now in milliseconds since 1970 */
export function seriesOf(
  traffic: RouteTraffic,
  { interval_ms, interval_elapsed_ms }: Pick<OverviewBody, "interval_ms" | "interval_elapsed_ms">,
  now: number,
): Readonly<Record<"calls" | "latency" | "tokens", Series>> {
  const last = traffic.calls.length - 1;
  // The latest interval is not over: its rate is over the time that has passed.
  const lastShare = Math.max(interval_elapsed_ms / interval_ms, leastShare);
  const times = traffic.calls.map((_, index) => (now - (last - index) * interval_ms) / 1000);
  const perMinute = 60_000 / interval_ms;
  const perSecond = 1000 / interval_ms;
  const scaled = (values: readonly number[], by: number): number[] =>
    values.map(
      (value, index) => Math.round((10 * value * by) / (index === last ? lastShare : 1)) / 10,
    );
  const seconds = (values: readonly (number | null)[]): (number | null)[] =>
    values.map((ms) => (ms === null ? null : ms / 1000));
  return {
    calls: {
      times,
      lines: [
        { name: "calls", colour: "--link", values: scaled(traffic.calls, perMinute) },
        { name: "failed", colour: "--loss", values: scaled(traffic.failed, perMinute) },
      ],
    },
    latency: {
      times,
      lines: [
        // First, so that the others are drawn above it where they are the same.
        { name: "first byte p50", colour: "--quiet", values: seconds(traffic.ttft_p50_ms) },
        { name: "p50", colour: "--link", values: seconds(traffic.p50_ms) },
        { name: "p95", colour: "--busy", values: seconds(traffic.p95_ms) },
      ],
    },
    tokens: {
      times,
      lines: [
        {
          name: "tokens",
          colour: "--link",
          values: scaled(traffic.completion_tokens, perSecond),
        },
      ],
    },
  };
}

export const sum = (values: readonly number[]): number =>
  values.reduce((all, value) => all + value, 0);
