import { performance } from "node:perf_hooks";

/** Market time that goes at a multiple of real time. */
export class Pace {
  readonly #speed: number;
  #marketStart: number;
  #realStart = performance.now();

  /** @param speed market milliseconds in a real one; above 0 */
  constructor(speed: number, marketTime: number) {
    this.#speed = speed;
    this.#marketStart = marketTime;
  }

  /** The market time that it is now. */
  get now(): number {
    return Math.floor(this.#marketStart + (performance.now() - this.#realStart) * this.#speed);
  }

  /** Real milliseconds until that market time; negative: it is over. */
  until(marketTime: number): number {
    return (marketTime - this.now) / this.#speed;
  }

  /** Goes on from another market time. */
  set(marketTime: number): void {
    this.#marketStart = marketTime;
    this.#realStart = performance.now();
  }
}
