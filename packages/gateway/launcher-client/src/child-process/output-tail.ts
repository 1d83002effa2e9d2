/** Keeps the last bytes of an output of any length, in at most twice as much memory. */
export class OutputTail {
  readonly #limit: number;
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;
  #received = 0;

  /** @param limit bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes received in all. */
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

  /** The last `limit` bytes, or fewer, as text. Bytes that are not UTF-8 become U+FFFD. */
  text(limit: number = this.#limit): string {
    return this.#buffer.toString("utf8", Math.max(0, this.#length - limit), this.#length);
  }

  /** Doubles up to twice the limit; after that, bytes are moved once for every `limit` bytes received. */
  #makeRoom(size: number): void {
    const from = Math.max(0, this.#length + size - this.#limit);
    const kept = this.#buffer.subarray(from, this.#length);
    const capacity = 2 * (kept.length + size);
    if (capacity > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(capacity);
    this.#buffer.set(kept);
    this.#length = kept.length;
  }
}
