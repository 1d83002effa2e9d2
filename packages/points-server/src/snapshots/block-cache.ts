import type { RecordBlock } from "./record-block.ts";

/**
 * Blocks that were asked for lately. A block of a snapshot never changes, and most readers want the same few
 * pages; reading one from the database and writing its JSON is half of what an answer costs.
 */
export class BlockCache {
  /** The one that was not asked for for the longest time comes first. */
  readonly #blocks = new Map<string, RecordBlock>();
  readonly #limit: number;
  #size = 0;

  /** @param limit characters of all texts together */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): RecordBlock | undefined {
    const block = this.#blocks.get(key);
    if (block === undefined) return undefined;
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    return block;
  }

  put(key: string, block: RecordBlock): void {
    this.#size += block.text.length - (this.#blocks.get(key)?.text.length ?? 0);
    this.#blocks.set(key, block);
    for (const [oldest, { text }] of this.#blocks) {
      if (this.#size <= this.#limit) break;
      this.#blocks.delete(oldest);
      this.#size -= text.length;
    }
  }
}
