const none: readonly Uint8Array[] = [];

/** The bytes of a stream that may not be passed on to the caller yet. */
export class Withheld {
  readonly #maxBytesBehind: number;
  #bytes: Uint8Array[] = [];
  #bytesBehind = 0;

  /** @param maxBytesBehind how much is kept of the bytes after a terminal event: no client reads them */
  constructor(maxBytesBehind: number) {
    this.#maxBytesBehind = maxBytesBehind;
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

  /** Withholds the bytes that follow once a terminal event has begun. */
  keep(chunk: Uint8Array): void {
    this.#bytesBehind += chunk.length;
    if (this.#bytesBehind <= this.#maxBytesBehind) this.#bytes.push(chunk);
  }
}
