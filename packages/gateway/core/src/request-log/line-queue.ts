/**
 * Writes a line, including its line end, to `target` at `at`, and returns where it ends. If that is beyond
 * the end of `target`, it is called again with a larger target.
 */
export type WriteLine = (target: Buffer, at: number) => number;

interface Chunk {
  readonly buffer: Buffer;
  end: number;
  lines: number;
}

/**
 * Lines that wait to be written, bounded in number and in bytes. They are stored one after the other in
 * chunks of memory, each of which becomes one write. A new chunk begins only when a line does not fit: memory
 * is at most twice the bytes of the lines, plus one chunk.
 */
export class LineQueue {
  readonly #maxLines: number;
  readonly #maxBytes: number;
  readonly #chunkBytes: number;
  readonly #chunks: Chunk[] = [];
  #lines = 0;
  #bytes = 0;
  /** The memory of the lines taken last. */
  #taken: Buffer | null = null;
  /** A chunk's memory to reuse: allocating it costs more than filling it. */
  #spare: Buffer | null = null;

  /** @param chunkBytes a longer line gets a chunk to itself */
  constructor(maxLines: number, maxBytes: number, chunkBytes: number) {
    this.#maxLines = maxLines;
    this.#maxBytes = maxBytes;
    this.#chunkBytes = chunkBytes;
  }

  get lines(): number {
    return this.#lines;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether one more line of this size fits. */
  hasRoom(bytes: number): boolean {
    return this.#lines < this.#maxLines && this.#bytes + bytes <= this.#maxBytes;
  }

  /** Adds a line; returns false if the bounds do not allow it. */
  add(writeLine: WriteLine): boolean {
    let chunk = this.#chunks.at(-1) ?? this.#addChunk(this.#chunkBytes);
    const end = writeLine(chunk.buffer, chunk.end);
    const bytes = end - chunk.end;
    if (!this.hasRoom(bytes)) return false;
    if (end > chunk.buffer.length) {
      // A line longer than a chunk would leave an empty chunk behind.
      if (chunk.lines === 0) this.#chunks.pop();
      chunk = this.#addChunk(Math.max(bytes, this.#chunkBytes));
      writeLine(chunk.buffer, 0);
    }
    chunk.end += bytes;
    chunk.lines += 1;
    this.#lines += 1;
    this.#bytes += bytes;
    return true;
  }

  /**
   * Removes the oldest chunk of lines; empty if none wait. The lines belong to the caller until its next
   * call, when their memory is reused.
   */
  take(): Buffer {
    if (this.#taken?.length === this.#chunkBytes) this.#spare = this.#taken;
    this.#taken = null;
    const chunk = this.#lines === 0 ? undefined : this.#chunks.shift();
    if (chunk === undefined) return Buffer.alloc(0);
    this.#taken = chunk.buffer;
    this.#lines -= chunk.lines;
    this.#bytes -= chunk.end;
    return chunk.buffer.subarray(0, chunk.end);
  }

  /** Drops everything that waits; returns the number of lines dropped. */
  clear(): number {
    const count = this.#lines;
    this.#chunks.length = 0;
    this.#lines = 0;
    this.#bytes = 0;
    return count;
  }

  #addChunk(size: number): Chunk {
    const spare = size === this.#chunkBytes ? this.#spare : null;
    if (spare !== null) this.#spare = null;
    const chunk = { buffer: spare ?? Buffer.allocUnsafeSlow(size), end: 0, lines: 0 };
    this.#chunks.push(chunk);
    return chunk;
  }
}
