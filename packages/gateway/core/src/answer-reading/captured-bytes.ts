/** The first bytes of a body, up to a bound. Keeps the chunks as they came until they are needed. */
export class CapturedBytes {
  readonly #maxBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;
  /** Bytes received, kept or not. */
  received = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get truncated(): boolean {
    return this.received > this.#kept;
  }

  /** Returns how many of the bytes are kept. */
  add(chunk: Uint8Array): number {
    this.received += chunk.byteLength;
    const room = this.#maxBytes - this.#kept;
    if (room <= 0) return 0;
    const part = chunk.byteLength <= room ? chunk : chunk.subarray(0, room);
    this.#kept += part.byteLength;
    this.#chunks.push(part);
    return part.byteLength;
  }

  bytes(): Uint8Array {
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
  }
}
