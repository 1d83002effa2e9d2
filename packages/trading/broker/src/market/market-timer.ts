import { performance } from "node:perf_hooks";
import { Pace } from "./pace.ts";

/** Most real milliseconds per turn, so that other work gets its share. */
const turnMs = 8;
/** Least real milliseconds between turns; the prices of one turn are committed together. */
const restMs = 4;
/** Most real milliseconds between turns: time must pass even without prices. */
const idleMs = 250;
/** A market that is later than this, in real milliseconds, does not catch up but goes on from where it is. */
const lateMs = 250;
/** Gaps without prices longer than this, in market milliseconds, are skipped at speeds other than 1. */
const pauseMs = 60 * 60_000;

export interface Moved {
  now(): number;
  /** The time of the next price; null: no more. */
  nextPrice(): number | null;
  /** Moves to a time, or stops earlier when `mayGoOn` is false. Reports its own failures. */
  run(time: number, mayGoOn: () => boolean): void;
}

/** Moves a market along with real time. */
export class MarketTimer {
  readonly #speed: number;
  readonly #market: Moved;
  #pace: Pace | null = null;
  #timeout: NodeJS.Timeout | null = null;

  /** @param speed market milliseconds per real millisecond; 0: does nothing */
  constructor(speed: number, market: Moved) {
    this.#speed = speed;
    this.#market = market;
  }

  /** It never moves the market. */
  get isStill(): boolean {
    return this.#speed === 0;
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

  /** Moves the market to the present, or as far as one turn allows. */
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
      // A failing market notifies its listeners and stops this timer.
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
