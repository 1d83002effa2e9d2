import type { AddressBook } from "../accrual/address-book.ts";

const chunkBits = 24;
const chunkBytes = 2 ** chunkBits;
/** Lines per write: a write costs as much as a hundred characters. */
const linesPerWrite = 1024;
const lineFeed = 10;

/**
 * ASCII lines about accounts, by place, from 0, outside the heap: there may be millions. Each begins with the
 * address, which only the book has. They are stored densely, because reading them in another order mostly
 * waits for memory.
 */
export class AccountLines {
  readonly #book: AddressBook;
  readonly #numbers: Uint32Array;
  readonly #chunks: Buffer[] = [];
  /** The offset of each line from the start of the first chunk. */
  readonly #starts: Uint32Array;
  readonly #lengths: Uint16Array;
  #size = 0;
  /** The offset of the next write. */
  #end = 0;
  /** The newest lines, not yet copied into a chunk. */
  #pending: string[] = [];
  #joined: Buffer = Buffer.alloc(2 ** 12);

  /** @param book of the accounts; each account has at most one line */
  constructor(book: AddressBook) {
    this.#book = book;
    this.#numbers = new Uint32Array(book.size);
    this.#starts = new Uint32Array(book.size);
    this.#lengths = new Uint16Array(book.size);
  }

  get size(): number {
    return this.#size;
  }

  /** The number of the account of a line. */
  numberAt(place: number): number {
    return this.#numbers[place] ?? 0;
  }

  /** @param line what follows the address, including the separator */
  add(number: number, line: string): void {
    this.#numbers[this.#size] = number;
    this.#lengths[this.#size] = line.length;
    this.#size += 1;
    if (this.#pending.push(line) === linesPerWrite) this.#write();
  }

  /** The lines at these places, joined, in ASCII; valid until the next call. */
  joined(places: ArrayLike<number>): Uint8Array {
    this.#write();
    const bytes = this.#fetch(places);
    if (bytes > this.#joined.length) this.#joined = Buffer.allocUnsafe(2 * bytes);
    const joined = this.#joined;
    let size = 0;
    for (let index = 0; index < places.length; index += 1) {
      const place = places[index] ?? 0;
      if (size > 0) joined[size++] = lineFeed;
      size = this.#book.copyTo(joined, size, this.numberAt(place));
      const start = this.#starts[place] ?? 0;
      const first = start % chunkBytes;
      const end = first + (this.#lengths[place] ?? 0);
      size += this.#chunks[start >>> chunkBits]?.copy(joined, size, first, end) ?? 0;
    }
    return joined.subarray(0, size);
  }

  /**
   * Reads a byte of each line before they are copied: the reads do not depend on each other, so the processor waits
   * for many at the same time. Saves a quarter of the time.
   * @returns an upper bound of their bytes
   */
  #fetch(places: ArrayLike<number>): number {
    let bytes = 0;
    let touched = 0;
    for (let index = 0; index < places.length; index += 1) {
      const place = places[index] ?? 0;
      const start = this.#starts[place] ?? 0;
      touched ^= this.#chunks[start >>> chunkBits]?.[start % chunkBytes] ?? 0;
      bytes += 1 + this.#book.lengthOf(this.numberAt(place)) + (this.#lengths[place] ?? 0);
    }
    for (let index = 0; index < places.length; index += 1) {
      touched ^= this.#book.firstOf(this.numberAt(places[index] ?? 0));
    }
    // Adds 0, because it was a byte; using the result makes V8 keep the reads.
    return bytes + (touched >>> 8);
  }

  #write(): void {
    const text = this.#pending.join("");
    const left = this.#chunks.length * chunkBytes - this.#end;
    if (text.length > left) {
      this.#end += left;
      this.#chunks.push(Buffer.allocUnsafe(chunkBytes));
    }
    this.#chunks.at(-1)?.write(text, this.#end % chunkBytes, "latin1");
    for (let place = this.#size - this.#pending.length; place < this.#size; place += 1) {
      this.#starts[place] = this.#end;
      this.#end += this.#lengths[place] ?? 0;
    }
    this.#pending = [];
  }
}
