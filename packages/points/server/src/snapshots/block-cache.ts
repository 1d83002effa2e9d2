interface Cached<Block> {
  readonly shelf: Shelf<Block>;
  readonly number: number;
  readonly block: Block;
  readonly size: number;
  older: Cached<Block> | null;
  newer: Cached<Block> | null;
}

/** The cached blocks of a list, by number: looking strings up used to be a fifth of an answer's cost. */
interface Shelf<Block> {
  readonly list: string;
  readonly places: (Cached<Block> | undefined)[];
  kept: number;
}

/**
 * Recently used blocks of several lists. A block of a snapshot never changes, and most readers want the same few
 * pages; reading a block from the database and serialising it is most of the cost of an answer.
 *
 * A linked list keeps the order of use: deleting and reinserting a Map's entry on every read would have the Map
 * rebuilt again and again, with a pause each time.
 */
export class BlockCache<Block> {
  /** None of the shelves is empty. */
  readonly #shelves = new Map<string, Shelf<Block>>();
  readonly #limit: number;
  #size = 0;
  /** Most recently used. */
  #newest: Cached<Block> | null = null;
  /** Least recently used. */
  #oldest: Cached<Block> | null = null;

  /** @param limit for the sum of all sizes, in bytes or characters */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(list: string, number: number): Block | undefined {
    return this.#find(this.#shelves.get(list), number);
  }

  /** The blocks from `first` to `last`; undefined for each that is not cached. */
  getRange(list: string, first: number, last: number): (Block | undefined)[] {
    const shelf = this.#shelves.get(list);
    const blocks: (Block | undefined)[] = [];
    for (let number = first; number <= last; number += 1) blocks.push(this.#find(shelf, number));
    return blocks;
  }

  put(list: string, number: number, block: Block, size: number): void {
    const known = this.#shelves.get(list)?.places[number];
    if (known !== undefined) this.#remove(known);
    const shelf = this.#shelfOf(list);
    while (shelf.places.length <= number) shelf.places.push(undefined);
    const added = { shelf, number, block, size, older: null, newer: null };
    shelf.places[number] = added;
    shelf.kept += 1;
    this.#size += size;
    this.#link(added);
    while (this.#size > this.#limit && this.#oldest !== null) this.#remove(this.#oldest);
  }

  #find(shelf: Shelf<Block> | undefined, number: number): Block | undefined {
    const found = shelf?.places[number];
    if (found === undefined) return undefined;
    if (found !== this.#newest) {
      this.#unlink(found);
      this.#link(found);
    }
    return found.block;
  }

  #shelfOf(list: string): Shelf<Block> {
    const known = this.#shelves.get(list);
    if (known !== undefined) return known;
    const shelf: Shelf<Block> = { list, places: [], kept: 0 };
    this.#shelves.set(list, shelf);
    return shelf;
  }

  #remove(cached: Cached<Block>): void {
    const { shelf, number, size } = cached;
    shelf.places[number] = undefined;
    shelf.kept -= 1;
    if (shelf.kept === 0) this.#shelves.delete(shelf.list);
    this.#size -= size;
    this.#unlink(cached);
  }

  #link(cached: Cached<Block>): void {
    cached.older = this.#newest;
    cached.newer = null;
    if (this.#newest === null) this.#oldest = cached;
    else this.#newest.newer = cached;
    this.#newest = cached;
  }

  #unlink({ older, newer }: Cached<Block>): void {
    if (older === null) this.#oldest = newer;
    else older.newer = newer;
    if (newer === null) this.#newest = older;
    else newer.older = older;
  }
}
