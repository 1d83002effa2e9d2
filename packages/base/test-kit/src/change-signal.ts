/** Wakes all waiters at every change. */
export class ChangeSignal {
  #next = Promise.withResolvers<void>();

  /** Resolves at the next change. */
  get next(): Promise<void> {
    return this.#next.promise;
  }

  announce(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers<void>();
  }
}
