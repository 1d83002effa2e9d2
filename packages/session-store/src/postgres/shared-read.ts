/** Reads by key: what is asked for while a query is under way shares the next one. */
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
    // What else is asked for in this turn of the event loop comes along.
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
