/** Starts each work when the previous one has ended, whether it succeeded or failed. */
export class Turns {
  #previous: Promise<unknown> = Promise.resolve();

  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#previous.then(work);
    this.#previous = result.catch(() => {});
    return result;
  }

  /** Resolves when all started work has ended. */
  async ended(): Promise<void> {
    await this.#previous;
  }
}
