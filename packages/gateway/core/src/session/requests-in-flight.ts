import type { Cancellation } from "../call/cancellation.ts";
import type { RunningCall } from "../call/stage.ts";
import type { CallError } from "../errors/gateway-error.ts";
import { LinkedList } from "../waiting/linked-list.ts";

interface RequestInFlight {
  readonly cancellation: Cancellation;
  /** Null: followers of the session do not see it. */
  readonly running: RunningCall | null;
}

/** The requests of one session that have not ended, and when it was last used. */
export class RequestsInFlight {
  readonly #requests = new LinkedList<RequestInFlight>();
  #onNone: (() => void) | null = null;
  #lastSeen = new Moment();

  /** When the last request came or ended. */
  get lastSeen(): Moment {
    return this.#lastSeen;
  }

  get count(): number {
    return this.#requests.size;
  }

  /** Returns the function to leave with. */
  enter(cancellation: Cancellation, running: RunningCall | null): () => void {
    this.#lastSeen = new Moment();
    const place = this.#requests.append({ cancellation, running });
    return () => {
      this.#lastSeen = new Moment();
      this.#requests.remove(place);
      if (this.#requests.size > 0) return;
      this.#onNone?.();
      this.#onNone = null;
    };
  }

  cancelAll(reason: CallError): void {
    for (const { cancellation } of [...this.#requests]) cancellation.cancel(reason);
  }

  /** The calls that followers see, the oldest first. */
  running(): readonly RunningCall[] {
    return [...this.#requests].flatMap(({ running }) => running ?? []);
  }

  /** Resolves once no request is left. For one waiter only: the session's close. */
  ended(): Promise<void> {
    if (this.#requests.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onNone = resolve;
    });
  }
}

/** A moment shown by the wall clock and measured by the monotonic clock. */
export class Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly #monotonic: number = performance.now();

  /** @param at the time to show; @default now */
  constructor(at: number = Date.now()) {
    this.at = at;
  }

  /** Milliseconds since then, unaffected by changes of the wall clock. */
  get agoMs(): number {
    return performance.now() - this.#monotonic;
  }
}
