/** Keeps the last bytes of an output of any length, in memory of at most twice as many. */
export class OutputTail {
  readonly #limit: number;
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;
  #received = 0;

  /** @param limit bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes in all. */
  get received(): number {
    return this.#received;
  }

  append(chunk: Uint8Array): void {
    this.#received += chunk.length;
    const added = chunk.subarray(Math.max(0, chunk.length - this.#limit));
    if (this.#length + added.length > this.#buffer.length) this.#makeRoom(added.length);
    this.#buffer.set(added, this.#length);
    this.#length += added.length;
  }

  /** The last bytes, at most `limit` of them, as text. Bytes that are not UTF-8 become U+FFFD. */
  text(limit: number = this.#limit): string {
    return this.#buffer.toString("utf8", Math.max(0, this.#length - limit), this.#length);
  }

  /** Doubles up to twice the limit: from there on, bytes are moved once for each `limit` that came. */
  #makeRoom(size: number): void {
    const from = Math.max(0, this.#length + size - this.#limit);
    const kept = this.#buffer.subarray(from, this.#length);
    const capacity = 2 * (kept.length + size);
    if (capacity > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(capacity);
    this.#buffer.set(kept);
    this.#length = kept.length;
  }
}
