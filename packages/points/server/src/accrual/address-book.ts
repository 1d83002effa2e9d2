import type { PackedTexts } from "../bytes/packed-texts.ts";

/** Characters of a typical address. */
const usualLength = 44;

/**
 * Numbers addresses from 0, in the order in which they are first seen. Their characters are in one buffer,
 * indexed by a hash table of numbers: a Map of a million strings takes four times the memory, and every
 * garbage collection walks through all of it.
 */
export class AddressBook {
  /** All addresses, concatenated. */
  #characters: Buffer;
  /** Where each address begins, by number; it ends where the next one begins. */
  #starts: Uint32Array;
  /**
   * The hash table: an address is at the place of its hash, or at the next free one. A place has a number + 1 (0:
   * free) with its hash next to it, so that one access reads both. Never more than half full.
   */
  #places: Uint32Array;
  #size = 0;
  /** Scratch space for the addresses that are being looked up: their hashes, then their numbers. */
  #lookedUp: Uint32Array = new Uint32Array(256);

  /** @param expected how many addresses there may be; sized so that it never grows: growing is one long pause */
  constructor(expected = 0) {
    // Memory is only used once it is written to.
    this.#characters = Buffer.allocUnsafeSlow(Math.max(1 << 16, usualLength * expected));
    this.#starts = new Uint32Array(Math.max(1 << 10, expected + 1));
    this.#places = new Uint32Array(Math.max(1 << 12, 2 ** Math.ceil(Math.log2(4 * expected))));
  }

  get size(): number {
    return this.#size;
  }

  /**
   * The numbers of these ASCII addresses, in their order; new addresses get the next numbers. The result is
   * valid until the next call.
   */
  numbersOf({ bytes, ends }: PackedTexts): Uint32Array {
    if (ends.length > this.#lookedUp.length) this.#lookedUp = new Uint32Array(2 * ends.length);
    const found = this.#lookedUp.subarray(0, ends.length);
    for (let index = 0, start = 0; index < ends.length; index += 1) {
      const end = ends[index] ?? 0;
      found[index] = hashOf(bytes, start, end);
      start = end;
    }
    const nothing = this.#fetch(found);
    for (let index = 0, start = 0; index < ends.length; index += 1) {
      const end = ends[index] ?? 0;
      found[index] = this.#find(bytes, start, end, (found[index] ?? 0) + nothing);
      start = end;
    }
    return found;
  }

  /**
   * Reads the places of these hashes once, before the addresses are compared: the reads do not depend on each
   * other, so the processor waits for many of them at the same time.
   * @returns always 0; use it, or V8 removes the reads
   */
  #fetch(hashes: Uint32Array): number {
    let touched = 0;
    for (let index = 0; index < hashes.length; index += 1) {
      const number = (this.#places[placeOf(hashes[index] ?? 0, this.#places)] ?? 0) - 1;
      if (number !== -1) touched ^= this.firstOf(number);
    }
    // Always 0 (a XOR of bytes, shifted out): the result is used so that V8 keeps the reads.
    return touched >>> 8;
  }

  /** The number of the address from `start` to `end`. */
  #find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const places = this.#places;
    let place = placeOf(hash, places);
    for (;;) {
      const number = (places[place] ?? 0) - 1;
      if (number === -1) return this.#add(bytes.subarray(start, end), hash, place);
      if (places[place + 1] === hash && this.#is(number, bytes, start, end)) return number;
      place = nextPlace(place, places);
    }
  }

  /** The address in ASCII; valid until the next one is added. */
  bytesOf(number: number): Uint8Array {
    return this.#characters.subarray(this.#starts[number], this.#starts[number + 1]);
  }

  /** Writes an address in ASCII. @returns where it ends */
  copyTo(target: Buffer, start: number, number: number): number {
    const [first, end] = [this.#starts[number] ?? 0, this.#starts[number + 1] ?? 0];
    return start + this.#characters.copy(target, start, first, end);
  }

  /** The code of the first character. */
  firstOf(number: number): number {
    return this.#characters[this.#starts[number] ?? 0] ?? 0;
  }

  lengthOf(number: number): number {
    return (this.#starts[number + 1] ?? 0) - (this.#starts[number] ?? 0);
  }

  addressOf(number: number): string {
    return this.#characters.toString("latin1", this.#starts[number], this.#starts[number + 1]);
  }

  /** Compares the characters: negative if `a` comes before `b`. */
  compare(a: number, b: number): number {
    return this.#characters.compare(
      this.#characters,
      this.#starts[b],
      this.#starts[b + 1],
      this.#starts[a],
      this.#starts[a + 1],
    );
  }

  #is(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (this.lengthOf(number) !== end - start) return false;
    const distance = (this.#starts[number] ?? 0) - start;
    for (let index = start; index < end; index += 1) {
      if (this.#characters[index + distance] !== bytes[index]) return false;
    }
    return true;
  }

  #add(address: Uint8Array, hash: number, place: number): number {
    const number = this.#size;
    const start = this.#starts[number] ?? 0;
    const end = start + address.length;
    if (end > this.#characters.length) {
      const larger = Buffer.allocUnsafeSlow(2 * this.#characters.length);
      this.#characters.copy(larger, 0, 0, start);
      this.#characters = larger;
    }
    if (number + 2 > this.#starts.length) this.#starts = doubled(this.#starts);
    this.#characters.set(address, start);
    this.#starts[number + 1] = end;
    this.#places[place] = number + 1;
    this.#places[place + 1] = hash;
    this.#size += 1;
    if (this.#size * 4 > this.#places.length) this.#spread();
    return number;
  }

  /** Doubles the number of places. */
  #spread(): void {
    const places = new Uint32Array(this.#places.length * 2);
    for (let from = 0; from < this.#places.length; from += 2) {
      const [number = 0, hash = 0] = [this.#places[from], this.#places[from + 1]];
      if (number === 0) continue;
      let place = placeOf(hash, places);
      while (places[place] !== 0) place = nextPlace(place, places);
      places[place] = number;
      places[place + 1] = hash;
    }
    this.#places = places;
  }
}

const placeOf = (hash: number, places: Uint32Array): number => (hash * 2) & (places.length - 1);
const nextPlace = (place: number, places: Uint32Array): number => (place + 2) & (places.length - 1);

function doubled(numbers: Uint32Array): Uint32Array {
  const twice = new Uint32Array(numbers.length * 2);
  twice.set(numbers);
  return twice;
}

/** FNV-1a, 32 bits. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index += 1) {
    hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  }
  return hash >>> 0;
}
