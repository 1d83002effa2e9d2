/** Wakes one waiting loop. A ring that nobody waits for is heard by the next who does. */
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
