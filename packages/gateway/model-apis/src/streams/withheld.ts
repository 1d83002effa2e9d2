const none: readonly Uint8Array[] = [];

/** The bytes of a stream that may not be passed on to the caller yet. */
export class Withheld {
  readonly #maxBytesAfterEnd: number;
  #bytes: Uint8Array[] = [];
  #bytesAfterEnd = 0;

  /** @param maxBytesAfterEnd how much is kept of what follows a terminal event, which no client reads */
  constructor(maxBytesAfterEnd: number) {
    this.#maxBytesAfterEnd = maxBytesAfterEnd;
  }

  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  get bytes(): readonly Uint8Array[] {
    return this.#bytes;
  }

  /**
   * Takes the stream's next bytes and returns those to pass on: everything withheld and `chunk` up to `end`;
   * nothing if `end` is 0.
   */
  pass(chunk: Uint8Array, end: number): readonly Uint8Array[] {
    const isWhole = end === chunk.length;
    if (end === 0) {
      if (!isWhole) this.#bytes.push(chunk);
      return none;
    }
    if (isWhole && this.isEmpty) return [chunk];
    const passed = this.#bytes;
    passed.push(isWhole ? chunk : chunk.subarray(0, end));
    this.#bytes = isWhole ? [] : [chunk.subarray(end)];
    return passed;
  }

  /** Withholds bytes that follow the beginning of a terminal event. */
  keep(chunk: Uint8Array): void {
    this.#bytesAfterEnd += chunk.length;
    if (this.#bytesAfterEnd <= this.#maxBytesAfterEnd) this.#bytes.push(chunk);
  }
}
