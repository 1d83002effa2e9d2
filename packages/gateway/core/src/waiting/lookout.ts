import { type Link, LinkedList } from "./linked-list.ts";

/** Something that usually ends in time by itself, and must be ended otherwise. */
export interface Watched {
  /** Its place among the others, set by the lookout; null at first. */
  place: Link<Watched> | null;
  /**
   * Called at the latest when its time has come, perhaps earlier: ends what is overdue, or asks to be watched
   * again.
   * @param now milliseconds of `performance.now()`
   */
  look(now: number): void;
}

/**
 * Watches many deadlines with one timer, set to the earliest: a timer per request would take longer than most
 * of what it guards. It keeps no process alive.
 */
export class Lookout {
  readonly #watched = new LinkedList<Watched>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  /** @param time in milliseconds of `performance.now()` */
  watch(one: Watched, time: number): void {
    one.place ??= this.#watched.append(one);
    if (time >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = time;
    const waitMs = Math.min(Math.max(time - performance.now(), leastWaitMs), maxWaitMs);
    this.#timer = setTimeout(look, waitMs, this).unref();
  }

  forget(one: Watched): void {
    if (one.place !== null) this.#watched.remove(one.place);
    one.place = null;
  }

  /** Only for the timer. */
  look(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    for (const one of [...this.#watched]) one.look(now);
  }
}

/** Each look checks all of them, so there are at most a hundred looks a second. */
const leastWaitMs = 10;

/** Node's timers turn a longer wait into one millisecond. */
export const maxWaitMs: number = 2 ** 31 - 1;

function look(lookout: Lookout): void {
  lookout.look();
}
