/** A token bucket that holds one second's requests and refills evenly. */
export class RateLimit {
  readonly #perSecond: number;
  #available: number;
  #refilledAt: number = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#available = perSecond;
  }

  /** @returns whether a request was left */
  take(): boolean {
    const now = performance.now();
    const gained = ((now - this.#refilledAt) / 1000) * this.#perSecond;
    this.#available = Math.min(this.#perSecond, this.#available + gained);
    this.#refilledAt = now;
    if (this.#available < 1) return false;
    this.#available -= 1;
    return true;
  }
}
