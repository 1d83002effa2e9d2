import type { AddressBook } from "../accrual/address-book.ts";

const chunkBits = 24;
const chunkBytes = 2 ** chunkBits;
/** Lines written at once, as each write costs as much as a hundred characters. */
const linesPerWrite = 1024;
const lineFeed = 10;

/**
 * ASCII lines about accounts, by their places, from 0, outside the heap: there may be millions. Each begins with
 * the address, which only the book has. They lie close together, as reading them in another order mostly
 * waits for memory.
 */
export class AccountLines {
  readonly #book: AddressBook;
  readonly #numbers: Uint32Array;
  readonly #chunks: Buffer[] = [];
  /** Where lines begin, from the start of the first chunk. */
  readonly #starts: Uint32Array;
  readonly #lengths: Uint16Array;
  #size = 0;
  /** Where the next write begins. */
  #end = 0;
  /** The newest lines, which are in no chunk yet. */
  #pending: string[] = [];
  #joined: Buffer = Buffer.alloc(2 ** 12);

  /** @param book of the accounts, each of which has one line or none */
  constructor(book: AddressBook) {
    this.#book = book;
    this.#numbers = new Uint32Array(book.size);
    this.#starts = new Uint32Array(book.size);
    this.#lengths = new Uint16Array(book.size);
  }

  get size(): number {
    return this.#size;
  }

  /** The number of the account that a line is about. */
  numberAt(place: number): number {
    return this.#numbers[place] ?? 0;
  }

  /** @param line what follows the address, with what parts it from it */
  add(number: number, line: string): void {
    this.#numbers[this.#size] = number;
    this.#lengths[this.#size] = line.length;
    this.#size += 1;
    if (this.#pending.push(line) === linesPerWrite) this.#write();
  }

  /** The lines at these places, one below the other, in ASCII; only until others are joined. */
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
   * Looks at all of them once before they are copied: one does not depend on the other, so that the processor
   * waits for many at a time, and the whole takes a quarter less.
   * @returns how many bytes they take at most
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
    // Adds nothing, as it is a byte; but what is of no use would not be looked at.
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
