import { performance } from "node:perf_hooks";
import { Pace } from "./pace.ts";

/** Real milliseconds that a turn takes at most, so that everything else gets its own. */
const turnMs = 8;
/** Real milliseconds from turn to turn at least: the prices of one are committed together. */
const restMs = 4;
/** Real milliseconds from turn to turn at most: time passes without prices, too. */
const idleMs = 250;
/** A market this late, in real milliseconds, does not catch up: it goes on from where it is. */
const lateMs = 250;
/** Market milliseconds without a price that are passed over at another speed than 1. */
const pauseMs = 60 * 60_000;

export interface Moved {
  now(): number;
  /** The time of the next price; null: there are no more. */
  nextPrice(): number | null;
  /** Moves to a time, and stops before it where it may not go on. It reports its own failures. */
  run(time: number, mayGoOn: () => boolean): void;
}

/** Moves a market with real time. */
export class MarketTimer {
  readonly #speed: number;
  readonly #market: Moved;
  #pace: Pace | null = null;
  #timeout: NodeJS.Timeout | null = null;

  /** @param speed market milliseconds in a real one; 0: it does nothing */
  constructor(speed: number, market: Moved) {
    this.#speed = speed;
    this.#market = market;
  }

  start(): void {
    if (this.#pace !== null || this.#speed === 0) return;
    this.#pace = new Pace(this.#speed, this.#market.now());
    this.#schedule(this.#pace);
  }

  stop(): void {
    this.#pace = null;
    if (this.#timeout !== null) clearTimeout(this.#timeout);
    this.#timeout = null;
  }

  /** Moves the market to the present, or as far towards it as a turn goes. */
  catchUp(): void {
    const pace = this.#pace;
    if (pace === null) return;
    const end = performance.now() + turnMs;
    this.#passPause(pace);
    this.#market.run(pace.now, () => performance.now() < end);
    if (-pace.until(this.#market.now()) > lateMs) pace.set(this.#market.now());
  }

  #schedule(pace: Pace): void {
    const next = this.#market.nextPrice();
    const wait = next === null ? idleMs : Math.min(idleMs, pace.until(next));
    this.#timeout = setTimeout(() => this.#turn(), Math.max(restMs, Math.ceil(wait)));
  }

  #turn(): void {
    try {
      this.catchUp();
    } catch (error) {
      // A market that fails tells its listeners, and stops this timer.
      if (this.#pace !== null) throw error;
    }
    if (this.#pace !== null) this.#schedule(this.#pace);
  }

  #passPause(pace: Pace): void {
    const next = this.#market.nextPrice();
    if (this.#speed === 1 || next === null || next - this.#market.now() <= pauseMs) return;
    if (next > pace.now) pace.set(next);
  }
}
