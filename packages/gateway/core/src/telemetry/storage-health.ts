import type { RecorderObserver } from "./recorder-observer.ts";

/** Whether storage can be written to, judging by the last attempt. */
export class StorageHealth {
  readonly #observer: RecorderObserver;
  #failure: Error | null = null;

  constructor(observer: RecorderObserver) {
    this.#observer = observer;
  }

  /** Why it cannot be written to; null while it can. */
  get failure(): Error | null {
    return this.#failure;
  }

  failed(error: unknown): void {
    const failure = error instanceof Error ? error : new Error(String(error));
    if (this.#failure === null) this.#observer.unavailable(failure);
    this.#failure = failure;
  }

  recovered(): void {
    if (this.#failure === null) return;
    this.#failure = null;
    this.#observer.recovered();
  }
}
