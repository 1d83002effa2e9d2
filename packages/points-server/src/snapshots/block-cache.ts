interface Cached<Block> {
  readonly key: string;
  readonly block: Block;
  older: Cached<Block> | null;
  newer: Cached<Block> | null;
}

/**
 * Blocks that were asked for lately. A block of a snapshot never changes, and most readers want the same few
 * pages; reading one from the database and writing its JSON is most of what an answer costs.
 *
 * Linked from one to the next by when they were asked for: to take an entry out of a Map and put it in again
 * for each reader would have the Map built anew over and over, with a pause each time.
 */
export class BlockCache<Block extends { readonly text: string }> {
  readonly #blocks = new Map<string, Cached<Block>>();
  readonly #limit: number;
  #size = 0;
  /** Asked for last. */
  #newest: Cached<Block> | null = null;
  /** Not asked for for the longest time. */
  #oldest: Cached<Block> | null = null;

  /** @param limit characters of all texts together */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Block | undefined {
    const found = this.#blocks.get(key);
    if (found === undefined) return undefined;
    if (found !== this.#newest) {
      this.#unlink(found);
      this.#link(found);
    }
    return found.block;
  }

  put(key: string, block: Block): void {
    const known = this.#blocks.get(key);
    if (known !== undefined) this.#remove(known);
    const added = { key, block, older: null, newer: null };
    this.#blocks.set(key, added);
    this.#size += block.text.length;
    this.#link(added);
    while (this.#size > this.#limit && this.#oldest !== null) this.#remove(this.#oldest);
  }

  #remove(cached: Cached<Block>): void {
    this.#blocks.delete(cached.key);
    this.#size -= cached.block.text.length;
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
