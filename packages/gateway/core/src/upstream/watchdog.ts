import type { TimeoutsConfig } from "@proj/gateway-protocol";
import { Lookout, maxWaitMs, type Watched } from "../waiting/lookout.ts";
import type { UpstreamTimeout } from "./upstream-failure.ts";

/** In seconds, as configured. */
export type AnswerLimits = Pick<TimeoutsConfig, UpstreamTimeout>;

export function toTimerDelay(seconds: number): number {
  return Math.min(Math.ceil(seconds * 1000), maxWaitMs);
}

/**
 * Watches one answer, however many chunks it has: a chunk only records the time. The limits are checked at
 * intervals no longer than the shortest one, so that a limit that starts later cannot be missed.
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

  /** The request has been written. */
  start(): void {
    const now = performance.now();
    this.#since = now;
    this.#lookAgain(now, (this.#totalDeadline - now) / 1000);
  }

  /** A chunk came. Returns the time in milliseconds of `performance.now()`. */
  heard(): number {
    this.#awaits = "idle_s";
    this.#since = performance.now();
    return this.#since;
  }

  /** We stop reading: from here on, silence is ours and not the upstream's. */
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

  /** Only for the lookout. */
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
