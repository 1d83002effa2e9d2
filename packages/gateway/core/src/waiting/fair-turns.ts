/**
 * One piece of work at a time, over all keys: keys take turns, and within a key it is first in, first out. Callers bound
 * how many wait.
 */
export class FairTurns {
  /** In the order of turns; a key without waiters has no entry. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isBusy = false;

  /** @param signal ends the wait; then the work is not done, and this rejects with the signal's reason */
  async take<Result>(
    key: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#isBusy) await this.#wait(key);
    this.#isBusy = true;
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#next();
    }
  }

  #wait(key: string): Promise<void> {
    return new Promise((resolve) => {
      const waiters = this.#waiting.get(key);
      if (waiters === undefined) this.#waiting.set(key, [resolve]);
      else waiters.push(resolve);
    });
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#isBusy = false;
      return;
    }
    const [key, [resolve, ...others]] = first;
    // Moves the key to the end.
    this.#waiting.delete(key);
    if (others.length > 0) this.#waiting.set(key, others);
    resolve?.();
  }
}
