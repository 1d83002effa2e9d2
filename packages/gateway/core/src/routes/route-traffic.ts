import type { RouteTraffic as RecentRouteTraffic } from "@proj/gateway-protocol";
import type { EndedCall } from "../call/route.ts";

/** Length of an interval in milliseconds. */
export const intervalMs = 20_000;
/** Number of intervals that are kept: an hour. */
export const keptIntervals = 180;

/** Ratio of each bound to the one before: quantiles are off by at most a fifth. */
const growth = 1.4;
const logOfGrowth = Math.log(growth);
const firstBoundMs = 1;
/** The last bound is beyond two days. */
const bounds = 56;

/** How long the latest interval has lasted so far, in milliseconds. */
export const intervalElapsedMs = (now: number = performance.now()): number => now % intervalMs;

/** What a route did in the last hour, in constant memory, whatever the traffic. */
export class RouteTraffic {
  readonly #now: () => number;
  readonly #slots: Slot[] = [];

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  ended(call: EndedCall): void {
    const interval = this.#interval();
    const index = interval % keptIntervals;
    let slot = this.#slots[index];
    if (slot === undefined) {
      slot = new Slot();
      this.#slots[index] = slot;
    }
    // Empties it if it still holds an earlier interval.
    slot.begin(interval);
    slot.add(call);
  }

  recent(): RecentRouteTraffic {
    const latest = this.#interval();
    const slots = Array.from({ length: keptIntervals }, (_, index) =>
      this.#find(latest - keptIntervals + 1 + index),
    );
    return {
      calls: slots.map((slot) => slot?.calls ?? 0),
      failed: slots.map((slot) => slot?.failed ?? 0),
      completion_tokens: slots.map((slot) => slot?.completion_tokens ?? 0),
      p50_ms: slots.map((slot) => quantile(slot?.durations, 0.5)),
      p95_ms: slots.map((slot) => quantile(slot?.durations, 0.95)),
      ttft_p50_ms: slots.map((slot) => quantile(slot?.firstBytes, 0.5)),
    };
  }

  #interval(): number {
    return Math.floor(this.#now() / intervalMs);
  }

  #find(interval: number): Slot | null {
    const slot = interval < 0 ? undefined : this.#slots[interval % keptIntervals];
    return slot?.interval === interval ? slot : null;
  }
}

class Slot {
  interval = -1;
  calls = 0;
  failed = 0;
  completion_tokens = 0;
  readonly durations: Uint32Array = new Uint32Array(bounds);
  readonly firstBytes: Uint32Array = new Uint32Array(bounds);

  begin(interval: number): void {
    if (this.interval === interval) return;
    this.interval = interval;
    this.calls = 0;
    this.failed = 0;
    this.completion_tokens = 0;
    this.durations.fill(0);
    this.firstBytes.fill(0);
  }

  add({ status_code, duration_ms, ttft_ms, completion_tokens }: EndedCall): void {
    this.calls += 1;
    if (status_code !== 200) this.failed += 1;
    if (completion_tokens !== null && completion_tokens > 0 && Number.isFinite(completion_tokens))
      this.completion_tokens += completion_tokens;
    count(this.durations, duration_ms);
    if (ttft_ms !== null) count(this.firstBytes, ttft_ms);
  }
}

function count(histogram: Uint32Array, ms: number): void {
  const index = Math.ceil(Math.log(ms / firstBoundMs) / logOfGrowth);
  const bound = Number.isFinite(index) ? Math.min(Math.max(index, 0), bounds - 1) : 0;
  histogram[bound] = (histogram[bound] ?? 0) + 1;
}

/** The middle of the bucket that contains the quantile. */
function quantile(histogram: Uint32Array | undefined, share: number): number | null {
  const all = histogram?.reduce((sum, own) => sum + own, 0) ?? 0;
  if (histogram === undefined || all === 0) return null;
  let seen = 0;
  const bound = histogram.findIndex((own) => {
    seen += own;
    return seen >= share * all;
  });
  const middle = firstBoundMs * growth ** (Math.max(bound, 0) - 0.5);
  return middle < 10 ? Math.round(10 * middle) / 10 : Math.round(middle);
}
