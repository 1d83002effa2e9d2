/** Wakes one waiting loop. A ring while nothing waits ends the next wait at once. */
export class Bell {
  #next = Promise.withResolvers<void>();

  ring(): void {
    this.#next.resolve();
  }

  async heard(): Promise<void> {
    await this.#next.promise;
    this.#next = Promise.withResolvers();
  }
}
