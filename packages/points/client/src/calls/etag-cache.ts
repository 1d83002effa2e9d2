import type { HttpAnswer } from "@proj/http-client";

/** Recently used answers by URL, up to a fixed number, to be revalidated with `If-None-Match`. */
export class EtagCache {
  readonly #entries: Map<string, HttpAnswer> = new Map();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(url: string): HttpAnswer | null {
    const answer = this.#entries.get(url) ?? null;
    if (answer !== null) this.#touch(url, answer);
    return answer;
  }

  /** Caches an answer that has an ETag. */
  keep(url: string, answer: HttpAnswer): void {
    if (answer.headers.etag === undefined || this.#limit === 0) return;
    this.#touch(url, answer);
    if (this.#entries.size <= this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  #touch(url: string, answer: HttpAnswer): void {
    this.#entries.delete(url);
    this.#entries.set(url, answer);
  }
}
