/** A moment that is shown by the wall clock and measured from by the monotonic one. */
export class Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly #monotonic: number = performance.now();

  /** @param at what is shown; @default now */
  constructor(at: number = Date.now()) {
    this.at = at;
  }

  /** Milliseconds since then, whatever happens to the wall clock. */
  get agoMs(): number {
    return performance.now() - this.#monotonic;
  }
}
