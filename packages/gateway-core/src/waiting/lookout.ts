import { type Link, LinkedList } from "./linked-list.ts";

/** Something that is over in time mostly, and otherwise has to be ended. */
export interface Watched {
  /** Its place among the others, the lookout's own; null at first. */
  place: Link<Watched> | null;
  /**
   * Called at the time that it is watched for at the latest, or before: it ends what is overdue, or
   * has itself watched on.
   * @param now milliseconds of `performance.now()`
   */
  look(now: number): void;
}

/**
 * Watches many with one timer, for the earliest of their times: a timer for each request would
 * take longer than most of what it guards. It keeps no process alive.
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
    const waitMs = Math.min(Math.max(time - performance.now(), leastWaitMs), longestWaitMs);
    this.#timer = setTimeout(look, waitMs, this).unref();
  }

  forget(one: Watched): void {
    if (one.place !== null) this.#watched.remove(one.place);
    one.place = null;
  }

  /** For the timer alone. */
  look(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    for (const one of [...this.#watched]) one.look(now);
  }
}

/** All are looked at each time: a hundred times a second at most, however many there are. */
const leastWaitMs = 10;

/** Node's timers turn a longer wait into one millisecond. */
export const longestWaitMs: number = 2 ** 31 - 1;

function look(lookout: Lookout): void {
  lookout.look();
}
