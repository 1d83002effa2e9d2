/** The place of a value in its list. */
export class Link<T> {
  readonly value: T;
  /** The list's own, as are the others. */
  isIn = true;
  previous: Link<T> | null;
  next: Link<T> | null = null;

  constructor(value: T, previous: Link<T> | null) {
    this.value = value;
    this.previous = previous;
  }
}

/**
 * Values in the order of their coming, each of which may leave at any time: for what comes and goes
 * with every request. A Set would do but for this: V8 chains each table that a Set has outgrown to
 * the one after it, contents and all, so that from the first of them that gets into its old space
 * all requests since are kept, and copied, until the next full collection.
 */
export class LinkedList<T> implements Iterable<T> {
  #first: Link<T> | null = null;
  #last: Link<T> | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  append(value: T): Link<T> {
    const link = new Link(value, this.#last);
    if (this.#last === null) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
    this.#size += 1;
    return link;
  }

  /** Returns false where it has left already. */
  remove(link: Link<T>): boolean {
    if (!link.isIn) return false;
    const { previous, next } = link;
    if (previous === null) this.#first = next;
    else previous.next = next;
    if (next === null) this.#last = previous;
    else next.previous = previous;
    link.isIn = false;
    // What is gone must not keep what came after it.
    link.previous = null;
    link.next = null;
    this.#size -= 1;
    return true;
  }

  /** Nothing may leave meanwhile; iterate over a copy where that cannot be promised. */
  *[Symbol.iterator](): Iterator<T> {
    for (let link = this.#first; link !== null; link = link.next) yield link.value;
  }
}
