import { ApiError, sleep } from "@proj/http-client";
import { createTurns } from "../waiting/turns.ts";

/** The first gap between requests, and the longest. */
const firstGapMs = 5;
const maxGapMs = 1000;
/** No request is sent for so long after the server has turned one away. */
const pauseMs = 200;
/** Each answer shortens the gap by this factor; below the least one there is none. */
const relief = 0.98;
const leastGapMs = 1;
/** How often one request is sent in all. */
const maxSends = 10;

/**
 * Spaces requests after the server has turned one away as one too many (403, docs/interfaces.md), until it no longer
 * does. Such a request was not read, so it can be sent again, whatever it asks for.
 */
export class Pacing {
  readonly #turns = createTurns();
  #gapMs = 0;
  #nextAt = 0;
  #slowedAt = 0;

  /** @throws what `send` throws; also the last 403 of too many in a row */
  async run<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
    for (let sends = 1; ; sends += 1) {
      await this.#turn(signal);
      const sentAt = performance.now();
      try {
        const answer = await send();
        this.#gapMs = this.#gapMs * relief < leastGapMs ? 0 : this.#gapMs * relief;
        return answer;
      } catch (error) {
        const isTooMany = error instanceof ApiError && error.status === 403;
        if (!isTooMany || sends === maxSends) throw error;
        this.#slowDown(sentAt);
      }
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    if (this.#gapMs === 0) return;
    await this.#turns.take(signal, async () => {
      await sleep(Math.max(0, this.#nextAt - performance.now()), signal);
      this.#nextAt = performance.now() + this.#gapMs;
    });
  }

  /** Requests of one burst slow down once. */
  #slowDown(sentAt: number): void {
    if (sentAt < this.#slowedAt) return;
    this.#slowedAt = performance.now();
    this.#gapMs = Math.min(maxGapMs, Math.max(firstGapMs, this.#gapMs * 2));
    this.#nextAt = this.#slowedAt + pauseMs;
  }
}
