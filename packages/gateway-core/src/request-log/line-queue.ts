/** Lines that wait to be written, bounded in number and in bytes. */
export class LineQueue {
  readonly #maxLines: number;
  readonly #maxBytes: number;
  #lines: string[] = [];
  #bytes = 0;

  constructor(maxLines: number, maxBytes: number) {
    this.#maxLines = maxLines;
    this.#maxBytes = maxBytes;
  }

  get lines(): number {
    return this.#lines.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether one more line of so many bytes may wait. */
  hasRoom(bytes: number): boolean {
    return this.#lines.length < this.#maxLines && this.#bytes + bytes <= this.#maxBytes;
  }

  /** Takes a line, its end included; returns false where the bounds do not allow it. */
  add(line: string): boolean {
    const bytes = Buffer.byteLength(line);
    if (!this.hasRoom(bytes)) return false;
    this.#lines.push(line);
    this.#bytes += bytes;
    return true;
  }

  /** Takes the oldest lines out, together at most `maxBytes` or one larger line. */
  take(maxBytes: number): Buffer {
    let count = this.#lines.length;
    if (this.#bytes > maxBytes) {
      let bytes = 0;
      count = this.#lines.findIndex((line) => {
        bytes += Buffer.byteLength(line);
        return bytes > maxBytes;
      });
      count = Math.max(count, 1);
    }
    const batch = Buffer.from(this.#lines.splice(0, count).join(""));
    this.#bytes -= batch.length;
    return batch;
  }

  /** Drops everything; returns how many lines that were. */
  clear(): number {
    const count = this.#lines.length;
    this.#lines = [];
    this.#bytes = 0;
    return count;
  }
}
