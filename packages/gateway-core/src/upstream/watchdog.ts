import type { TimeoutsConfig } from "@proj/gateway-protocol";
import type { UpstreamTimeout } from "./upstream-failure.ts";

/** In seconds, as configured. */
export type AnswerLimits = Pick<TimeoutsConfig, UpstreamTimeout>;

/** Node's timers turn a longer wait into one millisecond. */
const longestTimer = 2 ** 31 - 1;

export function toTimerDelay(seconds: number): number {
  return Math.min(Math.ceil(seconds * 1000), longestTimer);
}

/**
 * Watches one answer with one timer, however many chunks it has: a chunk only notes the time, and the
 * timer, when it fires, goes on for what is left. It is never armed for longer than the shortest limit,
 * so that a limit which begins later cannot be missed.
 */
export class Watchdog {
  readonly #limits: AnswerLimits;
  /** In milliseconds of `performance.now()`. */
  readonly #totalDeadline: number;
  readonly #onExpired: (timeout: UpstreamTimeout) => void;
  #timer: NodeJS.Timeout | undefined;
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
    this.#since = performance.now();
    this.#arm((this.#totalDeadline - this.#since) / 1000);
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
    clearTimeout(this.#timer);
  }

  #arm(seconds: number): void {
    const { first_byte_s, idle_s, total_s } = this.#limits;
    const delay = toTimerDelay(Math.min(seconds, first_byte_s, idle_s, total_s));
    this.#timer = setTimeout(check, delay, this);
  }

  /** For the timer alone. */
  check(): void {
    const now = performance.now();
    const silent = this.#paused ? 0 : (now - this.#since) / 1000;
    const silenceLeft = this.#limits[this.#awaits] - silent;
    const totalLeft = (this.#totalDeadline - now) / 1000;
    if (totalLeft <= 0) this.#onExpired("total_s");
    else if (silenceLeft <= 0) this.#onExpired(this.#awaits);
    else this.#arm(Math.min(silenceLeft, totalLeft));
  }
}

function check(watchdog: Watchdog): void {
  watchdog.check();
}
