/** How a call ended, as far as it is kept here. */
export interface EndedCall {
  readonly status_code: number;
  readonly duration_ms: number;
  readonly ttft_ms: number | null;
}

/** A route's traffic, a number for each interval, the earliest first. */
export interface RecentRouteTraffic {
  readonly calls: readonly number[];
  /** Of the calls: those that did not end with 200. */
  readonly failed: readonly number[];
  readonly completion_tokens: readonly number[];
  /** From arrival to the end, to within a fifth; null where no call ended. */
  readonly p50_ms: readonly (number | null)[];
  readonly p95_ms: readonly (number | null)[];
  /** To the first byte of the answer; null where none had one. */
  readonly ttft_p50_ms: readonly (number | null)[];
}

/** Milliseconds of one interval. */
export const intervalMs = 20_000;
/** How many of them are kept: an hour. */
export const keptIntervals = 180;

/** Each bound is this many times the one before: a quantile is off by a fifth at most. */
const growth = 1.4;
const firstBoundMs = 1;
/** The last one is beyond two days. */
const bounds = 56;

/** What the routes did in the last hour, in constant memory for a route, whatever its traffic. */
export class RecentTraffic {
  readonly #now: () => number;
  readonly #routes = new Map<string, RouteRing>();

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @param model a route key; nothing that a caller sent may be one */
  ended(model: string, call: EndedCall): void {
    this.#ringOf(model).slot(this.#interval()).add(call);
  }

  /** What is not a count counts nothing. */
  completed(model: string, completion_tokens: number | null): void {
    if (completion_tokens === null || !(completion_tokens > 0)) return;
    if (completion_tokens === Number.POSITIVE_INFINITY) return;
    this.#ringOf(model).slot(this.#interval()).completion_tokens += completion_tokens;
  }

  of(model: string): RecentRouteTraffic {
    const ring = this.#ringOf(model);
    const latest = this.#interval();
    const slots = Array.from({ length: keptIntervals }, (_, index) =>
      ring.find(latest - keptIntervals + 1 + index),
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

  #ringOf(model: string): RouteRing {
    const ring = this.#routes.get(model) ?? new RouteRing();
    this.#routes.set(model, ring);
    return ring;
  }
}

class RouteRing {
  readonly #slots: Slot[] = [];

  /** Of this interval, emptied where it is still of an earlier one. */
  slot(interval: number): Slot {
    const index = interval % keptIntervals;
    const slot = this.#slots[index] ?? new Slot();
    this.#slots[index] = slot;
    slot.begin(interval);
    return slot;
  }

  find(interval: number): Slot | null {
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

  add({ status_code, duration_ms, ttft_ms }: EndedCall): void {
    this.calls += 1;
    if (status_code !== 200) this.failed += 1;
    count(this.durations, duration_ms);
    if (ttft_ms !== null) count(this.firstBytes, ttft_ms);
  }
}

function count(histogram: Uint32Array, ms: number): void {
  const index = Math.ceil(Math.log(ms / firstBoundMs) / Math.log(growth));
  const bound = Number.isFinite(index) ? Math.min(Math.max(index, 0), bounds - 1) : 0;
  histogram[bound] = (histogram[bound] ?? 0) + 1;
}

/** The middle of the bucket that it is in. */
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
