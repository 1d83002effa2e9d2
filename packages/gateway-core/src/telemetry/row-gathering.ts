import type { Reservations } from "./reservations.ts";
import type { StepQueue } from "./step-queue.ts";

/** How long nothing may happen while rows are waited for, in milliseconds. */
const quietMs = 1;
/** However much happens, a commit does not wait longer than this, in milliseconds. */
const longestMs = 10;

/**
 * Waits between two commits for the rows that are about to come, as a commit costs as much as ten
 * rows: while requests are forwarded and answers end one after the other, and until the last
 * promised row is there. Requests that are long under way hold nothing up: they are silent.
 */
export class RowGathering {
  readonly #queue: StepQueue;
  readonly #reserved: Reservations;

  constructor(queue: StepQueue, reserved: Reservations) {
    this.#queue = queue;
    this.#reserved = reserved;
  }

  /** @param maxRows as many as one commit takes */
  async wait(maxRows: number): Promise<void> {
    if (this.#reserved.rows === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const until = performance.now() + longestMs;
    let seen = this.#events;
    const end = (): void => {
      clearTimeout(timer);
      this.#reserved.onNone = null;
      resolve();
    };
    const look = (): void => {
      const isQuiet = this.#events === seen;
      if (isQuiet || this.#queue.rows >= maxRows || performance.now() >= until) {
        end();
        return;
      }
      seen = this.#events;
      timer.refresh();
    };
    const timer = setTimeout(look, quietMs);
    this.#reserved.onNone = end;
    await promise;
  }

  get #events(): number {
    return this.#reserved.taken + this.#queue.added;
  }
}
