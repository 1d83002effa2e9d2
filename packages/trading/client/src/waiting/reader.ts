import { addAbortListener } from "node:events";

export interface ReaderOptions<T> {
  /** Takes the next queued value; undefined: none yet. */
  readonly take: () => T | undefined;
  /** Called when the reader has ended. */
  readonly release: () => void;
  /** An abort ends reading at once. */
  readonly signal: AbortSignal | undefined;
}

/** Reads values as they arrive; their source calls `wake`. */
export class Reader<T extends {}> implements AsyncIterableIterator<T, undefined, undefined> {
  readonly #options: ReaderOptions<T>;
  readonly #link: Disposable | undefined;
  readonly #waiting: PromiseWithResolvers<IteratorResult<T, undefined>>[] = [];
  #isAborted = false;
  #end: { readonly error: unknown } | null = null;

  constructor(options: ReaderOptions<T>) {
    this.#options = options;
    const { signal } = options;
    this.#link =
      signal &&
      addAbortListener(signal, () => {
        this.#isAborted = true;
        this.end(signal.reason);
      });
  }

  /** Call when there is something to take. */
  wake(): void {
    while (this.#waiting.length > 0) {
      const value = this.#options.take();
      if (value === undefined) return;
      this.#waiting.shift()?.resolve({ done: false, value });
    }
  }

  /** Ends reading after the queued values, with an error if one is given. */
  end(error?: unknown): void {
    if (this.#end !== null) return;
    this.#end = { error };
    this.#link?.[Symbol.dispose]();
    this.#options.release();
    for (const waiting of this.#waiting.splice(0)) this.#settle(waiting);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const waiting = Promise.withResolvers<IteratorResult<T, undefined>>();
    // Earlier calls come first.
    const mayTake = this.#waiting.length === 0 && !this.#isAborted;
    const value = mayTake ? this.#options.take() : undefined;
    if (value !== undefined) waiting.resolve({ done: false, value });
    else if (this.#end === null) this.#waiting.push(waiting);
    else this.#settle(waiting);
    return waiting.promise;
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #settle(waiting: PromiseWithResolvers<IteratorResult<T, undefined>>): void {
    const error = this.#end?.error;
    if (error === undefined) {
      waiting.resolve({ done: true, value: undefined });
      return;
    }
    // The error is thrown once; after that the iterator is done.
    this.#end = { error: undefined };
    waiting.reject(error);
  }
}
