const none: readonly Uint8Array[] = [];

/** The bytes of a stream that may not go on to the caller yet. */
export class Withheld {
  readonly #maxBytesBehind: number;
  #bytes: Uint8Array[] = [];
  #bytesBehind = 0;

  /** @param maxBytesBehind what is kept of the bytes that follow a terminal event: no client reads them */
  constructor(maxBytesBehind: number) {
    this.#maxBytesBehind = maxBytesBehind;
  }

  get isEmpty(): boolean {
    return this.#bytes.length === 0;
  }

  get bytes(): readonly Uint8Array[] {
    return this.#bytes;
  }

  /** Takes the stream's next bytes and returns what goes on: all that was withheld and `chunk` up to `end`; for 0, nothing. */
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

  /** Withholds bytes that follow once a terminal event has begun. */
  keep(chunk: Uint8Array): void {
    this.#bytesBehind += chunk.length;
    if (this.#bytesBehind <= this.#maxBytesBehind) this.#bytes.push(chunk);
  }
}
