/** Until when requests wait, by `performance.now()`, and over how many milliseconds they are spread after that. */
export interface Hold {
  readonly until: number;
  readonly spreadMs: number;
}

/** Bounds of the time over which held requests are spread once they may go on, in milliseconds. */
const [leastSpreadMs, maxSpreadMs] = [50, 2_000];

export const noHold: Hold = { until: 0, spreadMs: leastSpreadMs };

/** A hold of this many milliseconds, unless the one before lasts longer. */
export function holdFor(ms: number, before: Hold): Hold {
  const until = performance.now() + ms;
  if (until < before.until) return before;
  return { until, spreadMs: Math.min(Math.max(ms / 4, leastSpreadMs), maxSpreadMs) };
}

/** The keys that a provider has told to wait: every route that sends one of them to the same base URL waits. */
export class KeyHolds {
  readonly #held = new Map<string, Hold>();

  find(key: string): Hold {
    return this.#held.get(key) ?? noHold;
  }

  hold(key: string, ms: number): void {
    const now = performance.now();
    for (const [each, { until }] of this.#held) if (until < now) this.#held.delete(each);
    this.#held.set(key, holdFor(ms, this.find(key)));
  }
}
