/** A moment shown by the wall clock and measured by the monotonic clock. */
export class Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly #monotonic: number = performance.now();

  /** @param at the time to show; @default now */
  constructor(at: number = Date.now()) {
    this.at = at;
  }

  /** Milliseconds since then, unaffected by changes of the wall clock. */
  get agoMs(): number {
    return performance.now() - this.#monotonic;
  }
}
