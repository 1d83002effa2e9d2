/** Reads by key: keys requested while a query is running share the next one. */
export class SharedRead<Value> {
  readonly #readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  #waiting = new Map<string, PromiseWithResolvers<Value | null>>();
  #isReading = false;

  constructor(readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#readAll = readAll;
  }

  read(key: string): Promise<Value | null> {
    let asked = this.#waiting.get(key);
    if (asked === undefined) {
      asked = Promise.withResolvers();
      this.#waiting.set(key, asked);
      if (!this.#isReading) void this.#readWaiting();
    }
    return asked.promise;
  }

  async #readWaiting(): Promise<void> {
    this.#isReading = true;
    // Includes every key requested in this turn of the event loop.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const asked = this.#waiting;
      this.#waiting = new Map();
      try {
        const values = await this.#readAll([...asked.keys()]);
        for (const [key, { resolve }] of asked) resolve(values.get(key) ?? null);
      } catch (error) {
        for (const { reject } of asked.values()) reject(error);
      }
    }
    this.#isReading = false;
  }
}
