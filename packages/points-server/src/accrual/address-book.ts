/**
 * Numbers addresses from 0, in the order in which they are first seen. Their characters stand in one
 * buffer, and a table of numbers finds them: a Map of a million strings takes four times the memory,
 * and all of it is walked through in each collection of garbage.
 */
export class AddressBook {
  /** All addresses, one behind the other. */
  #characters: Buffer = Buffer.allocUnsafe(1 << 16);
  /** Where the address with a number begins; the next one begins where it ends. */
  #starts: Uint32Array = new Uint32Array(1 << 10);
  #hashes: Uint32Array = new Uint32Array(1 << 10);
  /** Numbers + 1 at places by hashes, or the next free place; 0: free. Never more than half full. */
  #places: Uint32Array = new Uint32Array(1 << 11);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The address's number; one that was not seen before gets the next one. */
  numberOf(address: string): number {
    const hash = hashOf(address);
    const mask = this.#places.length - 1;
    let place = hash & mask;
    for (;;) {
      const number = (this.#places[place] ?? 0) - 1;
      if (number === -1) return this.#add(address, hash, place);
      if (this.#hashes[number] === hash && this.#isAt(number, address)) return number;
      place = (place + 1) & mask;
    }
  }

  /** Of an address, in ASCII; only until the next one is added. */
  bytesOf(number: number): Uint8Array {
    return this.#characters.subarray(this.#starts[number], this.#starts[number + 1]);
  }

  addressOf(number: number): string {
    return this.#characters.toString("latin1", this.#starts[number], this.#starts[number + 1]);
  }

  /** In the order of their characters: negative where `a`'s comes first. */
  compare(a: number, b: number): number {
    return this.#characters.compare(
      this.#characters,
      this.#starts[b],
      this.#starts[b + 1],
      this.#starts[a],
      this.#starts[a + 1],
    );
  }

  #isAt(number: number, address: string): boolean {
    const start = this.#starts[number] ?? 0;
    if ((this.#starts[number + 1] ?? 0) - start !== address.length) return false;
    for (let index = 0; index < address.length; index += 1) {
      if (this.#characters[start + index] !== address.charCodeAt(index)) return false;
    }
    return true;
  }

  #add(address: string, hash: number, place: number): number {
    const number = this.#size;
    const start = this.#starts[number] ?? 0;
    const end = start + address.length;
    if (end > this.#characters.length) {
      this.#characters = Buffer.concat([this.#characters, this.#characters]);
    }
    if (number + 2 > this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#hashes = doubled(this.#hashes);
    }
    this.#characters.write(address, start, "latin1");
    this.#starts[number + 1] = end;
    this.#hashes[number] = hash;
    this.#places[place] = number + 1;
    this.#size += 1;
    if (this.#size * 2 > this.#places.length) this.#spread();
    return number;
  }

  /** Over twice as many places. */
  #spread(): void {
    const places = new Uint32Array(this.#places.length * 2);
    const mask = places.length - 1;
    for (let number = 0; number < this.#size; number += 1) {
      let place = (this.#hashes[number] ?? 0) & mask;
      while (places[place] !== 0) place = (place + 1) & mask;
      places[place] = number + 1;
    }
    this.#places = places;
  }
}

function doubled(numbers: Uint32Array): Uint32Array {
  const twice = new Uint32Array(numbers.length * 2);
  twice.set(numbers);
  return twice;
}

/** FNV-1a, 32 bits. Addresses are ASCII. */
function hashOf(address: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < address.length; index += 1) {
    hash = Math.imul(hash ^ address.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
