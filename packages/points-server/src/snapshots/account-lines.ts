import type { AddressBook } from "../accrual/address-book.ts";

const chunkBits = 24;
const chunkBytes = 2 ** chunkBits;
/** So many are written at once, as each write costs as much as a hundred characters. */
const linesPerWrite = 1024;
const lineFeed = 10;

/**
 * ASCII lines about accounts, by their places, from 0, outside the heap: there may be millions. Each begins with
 * the address, which only the book has. They stand close to each other, as whoever reads them in another
 * order waits for the memory more than for anything else.
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

  /** The lines at these places, one below the other. */
  joined(places: Iterable<number>): string {
    this.#write();
    let joined = this.#joined;
    let size = 0;
    for (const place of places) {
      const length = this.#lengths[place] ?? 0;
      const start = this.#starts[place] ?? 0;
      const address = this.#book.bytesOf(this.numberAt(place));
      const more = 1 + address.length + length;
      if (size + more > joined.length) joined = this.#enlarge(more);
      if (size > 0) joined[size++] = lineFeed;
      joined.set(address, size);
      size += address.length;
      const first = start % chunkBytes;
      size += this.#chunks[start >>> chunkBits]?.copy(joined, size, first, first + length) ?? 0;
    }
    return joined.toString("latin1", 0, size);
  }

  #enlarge(size: number): Buffer {
    this.#joined = Buffer.concat([this.#joined], 2 * this.#joined.length + size);
    return this.#joined;
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
