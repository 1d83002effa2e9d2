import { performance } from "node:perf_hooks";

/** Market time that runs at a multiple of real time. */
export class Pace {
  readonly #speed: number;
  #marketStart: number;
  #realStart = performance.now();

  /** @param speed market milliseconds per real millisecond; above 0 */
  constructor(speed: number, marketTime: number) {
    this.#speed = speed;
    this.#marketStart = marketTime;
  }

  /** The current market time. */
  get now(): number {
    return Math.floor(this.#marketStart + (performance.now() - this.#realStart) * this.#speed);
  }

  /** Real milliseconds until a market time; negative: it has passed. */
  until(marketTime: number): number {
    return (marketTime - this.now) / this.#speed;
  }

  /** Continues from another market time. */
  set(marketTime: number): void {
    this.#marketStart = marketTime;
    this.#realStart = performance.now();
  }
}
