import { seededRandom } from "../statistics.ts";
import type { MarketSecond } from "./soak-protocol.ts";

/** No fault; also ends the previous second's. */
export const quietSecond: MarketSecond = {
  faults: { duplicate_share: 0, push_delay_ms: 0, refuse_next: 0 },
  drop: null,
};

interface FaultKind {
  readonly name: string;
  /** In percent. */
  readonly share: number;
  readonly second: (random: () => number) => Partial<MarketSecond>;
}

const kinds: readonly FaultKind[] = [
  { name: "a connection dropped", share: 30, second: () => ({ drop: "one" }) },
  { name: "all connections dropped", share: 2, second: () => ({ drop: "all" }) },
  {
    name: "the next order refused",
    share: 23,
    second: () => ({ faults: { ...quietSecond.faults, refuse_next: 1 } }),
  },
  {
    name: "half of the pushes sent twice",
    share: 25,
    second: () => ({ faults: { ...quietSecond.faults, duplicate_share: 0.5 } }),
  },
  {
    name: "pushes held back for 1 to 20 ms",
    share: 20,
    second: (random) => ({
      faults: { ...quietSecond.faults, push_delay_ms: 1 + Math.floor(random() * 20) },
    }),
  },
];

/** A random fault in each second; the same seed gives the same faults. */
export class SoakFaults {
  /** How often each fault occurred. */
  readonly counts: Map<string, number> = new Map();
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  next(): MarketSecond {
    let left = this.#random() * 100;
    for (const { name, share, second } of kinds) {
      left -= share;
      if (left >= 0) continue;
      this.count(name);
      return { ...quietSecond, ...second(this.#random) };
    }
    return quietSecond;
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}
