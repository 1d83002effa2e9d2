import type { TimeoutsConfig } from "@proj/gateway-protocol";
import { Lookout, longestWaitMs, type Watched } from "../waiting/lookout.ts";
import type { UpstreamTimeout } from "./upstream-failure.ts";

/** In seconds, as configured. */
export type AnswerLimits = Pick<TimeoutsConfig, UpstreamTimeout>;

export function toTimerDelay(seconds: number): number {
  return Math.min(Math.ceil(seconds * 1000), longestWaitMs);
}

/**
 * Watches one answer, however many chunks it has: a chunk only notes the time. What is due is looked
 * at no later than after the shortest limit, so that a limit which begins later cannot be missed.
 */
export class Watchdog implements Watched {
  place: Watched["place"] = null;

  readonly #limits: AnswerLimits;
  /** In milliseconds of `performance.now()`. */
  readonly #totalDeadline: number;
  readonly #onExpired: (timeout: UpstreamTimeout) => void;
  #awaits: "first_byte_s" | "idle_s" = "first_byte_s";
  #since = 0;
  #paused = false;

  constructor(
    limits: AnswerLimits,
    totalDeadline: number,
    onExpired: (timeout: UpstreamTimeout) => void,
  ) {
    this.#limits = limits;
    this.#totalDeadline = totalDeadline;
    this.#onExpired = onExpired;
  }

  /** The request was written. */
  start(): void {
    const now = performance.now();
    this.#since = now;
    this.#lookAgain(now, (this.#totalDeadline - now) / 1000);
  }

  /** A chunk came. Returns when, in milliseconds of `performance.now()`. */
  heard(): number {
    this.#awaits = "idle_s";
    this.#since = performance.now();
    return this.#since;
  }

  /** Silence is ours from here on, not the upstream's: nothing is read. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#since = performance.now();
  }

  stop(): void {
    lookout.forget(this);
  }

  /** For the lookout alone. */
  look(now: number): void {
    const silent = this.#paused ? 0 : (now - this.#since) / 1000;
    const silenceLeft = this.#limits[this.#awaits] - silent;
    const totalLeft = (this.#totalDeadline - now) / 1000;
    if (totalLeft <= 0) this.#onExpired("total_s");
    else if (silenceLeft <= 0) this.#onExpired(this.#awaits);
    else this.#lookAgain(now, Math.min(silenceLeft, totalLeft));
  }

  #lookAgain(now: number, seconds: number): void {
    const { first_byte_s, idle_s, total_s } = this.#limits;
    lookout.watch(this, now + 1000 * Math.min(seconds, first_byte_s, idle_s, total_s));
  }
}

const lookout = new Lookout();
