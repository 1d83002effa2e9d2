/** What the client has seen of the server's time, which need not run at the pace of ours. */
export class ServerClock {
  #newest: number | null = null;
  #learnedAt = Number.NEGATIVE_INFINITY;

  /** The newest time seen, in milliseconds since the epoch; null: none. */
  get newest(): number | null {
    return this.#newest;
  }

  /** Real milliseconds since the client last saw the server's time, or found that it shows none. */
  get age(): number {
    return performance.now() - this.#learnedAt;
  }

  /** @param instant a time at which something happened there; null: none */
  learn(instant: { readonly epochMilliseconds: number } | null): void {
    this.#learnedAt = performance.now();
    if (instant === null) return;
    this.#newest = Math.max(this.#newest ?? instant.epochMilliseconds, instant.epochMilliseconds);
  }
}
