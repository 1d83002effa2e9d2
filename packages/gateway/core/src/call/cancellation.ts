import type { CallError } from "../errors/gateway-error.ts";

/** Something that a cancellation ends. */
export interface Cancellable {
  cancel(reason: CallError): void;
}

/**
 * Ends a call early, once, with a reason. An AbortController without the DOM's event machinery, which costs
 * more than the rest of a small request's bookkeeping.
 */
export class Cancellation implements Cancellable {
  #reason: CallError | null = null;
  #ends: Cancellable[] = [];

  get reason(): CallError | null {
    return this.#reason;
  }

  /** The first reason wins; later ones change nothing. */
  cancel(reason: CallError): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    const ends = this.#ends;
    this.#ends = [];
    for (const end of ends) end.cancel(reason);
  }

  /** Adds something to cancel as well, once; at once if the cancellation has already happened. */
  add(end: Cancellable): void {
    if (this.#reason === null) this.#ends.push(end);
    else end.cancel(this.#reason);
  }

  /** Entries left behind keep V8 from collecting whole requests before its next full collection. */
  remove(end: Cancellable): void {
    const index = this.#ends.indexOf(end);
    if (index >= 0) this.#ends.splice(index, 1);
  }

  /** Calls back once, as `add` does. Returns the function that removes the listener. */
  onCancel(listener: (reason: CallError) => void): () => void {
    const end: Cancellable = { cancel: listener };
    this.add(end);
    return () => this.remove(end);
  }

  throwIfCancelled(): void {
    if (this.#reason !== null) throw this.#reason;
  }
}
