import { setImmediate as turn } from "node:timers/promises";
import type { QueueBounds } from "./queue-bounds.ts";
import type { StepQueue } from "./step-queue.ts";

/**
 * How long the writer counts as busy after a commit, in milliseconds: callers continue at once, so rows come
 * in waves.
 */
const busyMs = 5;
/** Longest silence while rows are waited for, in milliseconds. */
const quietMs = 1;
/** Longest wait of a commit, whatever happens, in milliseconds. */
const maxMs = 5;
/** Turns of the event loop in which callers that were just answered can send their next requests. */
const turnsForNext = 4;

/**
 * Makes a busy writer wait for rows that are about to come, because a commit costs as much as ten rows: it
 * waits while requests are forwarded and answers end in quick succession, and until the last promised row has
 * come. Long-running requests hold nothing up: they are silent.
 */
export class RowGathering {
  readonly #queue: StepQueue;
  readonly #bounds: QueueBounds;
  #committedAt = Number.NEGATIVE_INFINITY;

  constructor(queue: StepQueue, bounds: QueueBounds) {
    this.#queue = queue;
    this.#bounds = bounds;
  }

  /** Call after every commit. */
  committed(): void {
    this.#committedAt = performance.now();
  }

  /** Does not wait if the writer is idle. @param maxRows the most rows that one commit takes */
  async wait(maxRows: number): Promise<void> {
    const began = performance.now();
    if (began - this.#committedAt > busyMs) return;
    if (this.#bounds.reservedRows > 0 && began - this.#bounds.takenAt > quietMs) return;
    let turns = 0;
    while (this.#queue.rows < maxRows && performance.now() - began < maxMs) {
      if (this.#bounds.reservedRows > 0) {
        turns = 0;
        if (await this.#isSilent()) return;
      } else {
        turns += 1;
        if (turns > turnsForNext) return;
        await turn();
      }
    }
  }

  /** Resolves when the last promised row has come, or with true after a time without events. */
  #isSilent(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const seen = this.#events;
    const end = (isSilent: boolean): void => {
      clearTimeout(timer);
      this.#bounds.onNone = null;
      resolve(isSilent);
    };
    const timer = setTimeout(() => end(this.#events === seen), quietMs);
    this.#bounds.onNone = () => end(false);
    return promise;
  }

  get #events(): number {
    return this.#bounds.taken + this.#queue.added;
  }
}
