import { sleep } from "@proj/http-client";

/** Repeats some work, with a pause between the end of one round and the start of the next. */
export class Repetition {
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;

  /** @param work never rejects */
  constructor(pauseMs: number, work: () => Promise<void>) {
    this.#ended = this.#repeat(pauseMs, work);
  }

  /** Resolves when the round in progress has ended. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#ended;
  }

  async #repeat(pauseMs: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await sleep(pauseMs, signal).catch(() => {});
      if (!signal.aborted) await work();
    }
  }
}
