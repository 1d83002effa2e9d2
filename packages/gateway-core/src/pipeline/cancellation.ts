import type { CallError } from "../gateway-error.ts";

/**
 * Ends a call before its time, once, with a reason. It is an AbortController without the DOM's
 * event machinery, which costs more than the rest of a small request's bookkeeping.
 */
export class Cancellation {
  #reason: CallError | null = null;
  #listeners: ((reason: CallError) => void)[] = [];

  get reason(): CallError | null {
    return this.#reason;
  }

  /** The first reason wins; later ones change nothing. */
  cancel(reason: CallError): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener(reason);
  }

  /** Calls back once, at once where it has already happened. Returns how to stop listening. */
  onCancel(listener: (reason: CallError) => void): () => void {
    if (this.#reason !== null) {
      listener(this.#reason);
      return () => {};
    }
    this.#listeners.push(listener);
    return () => {
      const index = this.#listeners.indexOf(listener);
      if (index >= 0) this.#listeners.splice(index, 1);
    };
  }

  throwIfCancelled(): void {
    if (this.#reason !== null) throw this.#reason;
  }
}
