import { type JobStore, openJobStore, type StoreOptions } from "@proj/session-store";

/** The storage as launchers use it, opened when it is first asked for. */
export class LazyJobStore {
  readonly #options: StoreOptions;
  #opened: Promise<JobStore> | null = null;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** @throws StoreUnavailableError; the next call tries again */
  readonly open = (): Promise<JobStore> => {
    this.#opened ??= openJobStore(this.#options).catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  };

  async close(): Promise<void> {
    const store = await this.#opened?.catch(() => null);
    await store?.close();
  }
}
