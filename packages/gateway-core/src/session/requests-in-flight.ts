import type { Cancellation } from "../call/cancellation.ts";
import type { CallError } from "../errors/gateway-error.ts";
import { LinkedList } from "../waiting/linked-list.ts";

/** The requests of one session that have not ended. */
export class RequestsInFlight {
  readonly #requests = new LinkedList<Cancellation>();
  #onNone: (() => void) | null = null;

  get count(): number {
    return this.#requests.size;
  }

  /** Returns the function to leave with. */
  enter(request: Cancellation): () => void {
    const place = this.#requests.append(request);
    return () => {
      this.#requests.remove(place);
      if (this.#requests.size > 0) return;
      this.#onNone?.();
      this.#onNone = null;
    };
  }

  cancelAll(reason: CallError): void {
    for (const request of [...this.#requests]) request.cancel(reason);
  }

  /** Resolves once no request is left. For one waiter only: the session's close. */
  ended(): Promise<void> {
    if (this.#requests.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onNone = resolve;
    });
  }
}
