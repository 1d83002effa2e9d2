/** A bucket that holds the requests of one second and fills up evenly. */
export class RateLimit {
  readonly #perSecond: number;
  #left: number;
  #at: number = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond;
  }

  /** @returns whether there was one left */
  take(): boolean {
    const now = performance.now();
    const gained = ((now - this.#at) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#perSecond, this.#left + gained);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
