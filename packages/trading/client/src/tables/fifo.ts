/** A queue that takes from its front in constant time. */
export class Fifo<T> {
  #items: T[] = [];
  /** Number of items taken from the front. */
  #taken = 0;

  get size(): number {
    return this.#items.length - this.#taken;
  }

  put(item: T): void {
    this.#items.push(item);
  }

  take(): T | undefined {
    const item = this.#items[this.#taken];
    if (this.size > 0) this.#taken += 1;
    if (this.#taken * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    return item;
  }
}
