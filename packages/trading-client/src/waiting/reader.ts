import { addAbortListener } from "node:events";

export interface ReaderOptions<T> {
  /** Takes the next value from where they wait; undefined: there is none yet. */
  readonly take: () => T | undefined;
  /** The reader needs no more. */
  readonly release: () => void;
  /** An abort ends reading at once. */
  readonly signal: AbortSignal | undefined;
}

/** Reads values as they come. The source of a value calls `wake`. */
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

  /** Something can be taken. */
  wake(): void {
    while (this.#waiting.length > 0) {
      const value = this.#options.take();
      if (value === undefined) return;
      this.#waiting.shift()?.resolve({ done: false, value });
    }
  }

  /** What can be taken is still read; then reading ends, or fails where an error is given. */
  end(error?: unknown): void {
    if (this.#end !== null) return;
    this.#end = { error };
    this.#link?.[Symbol.dispose]();
    this.#options.release();
    for (const waiting of this.#waiting.splice(0)) this.#settle(waiting);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const waiting = Promise.withResolvers<IteratorResult<T, undefined>>();
    // Those who asked before come first.
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
    // It is told once; after that there is nothing more to read.
    this.#end = { error: undefined };
    waiting.reject(error);
  }
}
