/** Collects replacements of byte ranges, ascending and without overlap, and applies them in one copy. */
export class ByteSplice {
  readonly #bytes: Buffer;
  /** Start and end of each replaced range in turn. */
  readonly #ranges: number[] = [];
  readonly #replacements: Uint8Array[] = [];
  #length: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#length = bytes.length;
  }

  /**
   * Replaces `start` to `end` (exclusive) by `replacement`; if both are equal, inserts it before that byte.
   */
  replace(start: number, end: number, replacement: Uint8Array): void {
    this.#ranges.push(start, end);
    this.#replacements.push(replacement);
    this.#length += replacement.length - (end - start);
  }

  /** Returns the original Buffer if nothing was replaced. */
  apply(): Buffer {
    if (this.#replacements.length === 0) return this.#bytes;
    const result = Buffer.allocUnsafe(this.#length);
    let written = 0;
    let copied = 0;
    let range = 0;
    for (const replacement of this.#replacements) {
      const start = this.#ranges[range] ?? 0;
      written += this.#bytes.copy(result, written, copied, start);
      result.set(replacement, written);
      written += replacement.length;
      copied = this.#ranges[range + 1] ?? 0;
      range += 2;
    }
    this.#bytes.copy(result, written, copied);
    return result;
  }
}

/** A Buffer over the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  if (bytes instanceof Buffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
