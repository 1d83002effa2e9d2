import { sleep } from "@proj/http-client";

/** Does something again and again, with a pause between the end of one time and the beginning of the next. */
export class Repetition {
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;

  /** @param work never rejects */
  constructor(pauseMs: number, work: () => Promise<void>) {
    this.#ended = this.#repeat(pauseMs, work);
  }

  /** Resolves when what was under way has come to its end. */
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
