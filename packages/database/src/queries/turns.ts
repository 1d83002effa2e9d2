/** Begins each work when the one before has ended, however it ended. */
export class Turns {
  #previous: Promise<unknown> = Promise.resolve();

  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#previous.then(work);
    this.#previous = result.catch(() => {});
    return result;
  }

  /** Resolves when all that was begun has ended. */
  async ended(): Promise<void> {
    await this.#previous;
  }
}
