const linesPerChunk = 1024;

/** ASCII lines by their numbers, from 0, outside the heap: there may be millions. */
export class LineStore {
  /** Of so many lines each, one behind the other. */
  readonly #chunks: Buffer[] = [];
  /** Where in its chunk the line with a number ends. */
  readonly #ends: number[] = [];
  /** Lines that are in no chunk yet. */
  #pending: string[] = [];
  #pendingLength = 0;

  get size(): number {
    return this.#ends.length;
  }

  add(line: string): void {
    this.#pendingLength += line.length;
    this.#ends.push(this.#pendingLength);
    if (this.#pending.push(line) === linesPerChunk) this.#store();
  }

  /** The lines with these numbers, one below the other. */
  joined(numbers: Iterable<number>): string {
    if (this.#pending.length > 0) this.#store();
    const lines: string[] = [];
    for (const number of numbers) {
      const chunk = this.#chunks[Math.floor(number / linesPerChunk)];
      const start = number % linesPerChunk === 0 ? 0 : this.#ends[number - 1];
      lines.push(chunk?.toString("latin1", start, this.#ends[number]) ?? "");
    }
    return lines.join("\n");
  }

  /** Only a chunk that is full, or the last one. */
  #store(): void {
    this.#chunks.push(Buffer.from(this.#pending.join(""), "latin1"));
    this.#pending = [];
    this.#pendingLength = 0;
  }
}
