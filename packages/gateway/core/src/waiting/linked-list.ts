/** The place of a value in its list. */
export class Link<T> {
  readonly value: T;
  /** This and the following members are only for the list. */
  isIn = true;
  previous: Link<T> | null;
  next: Link<T> | null = null;

  constructor(value: T, previous: Link<T> | null) {
    this.value = value;
    this.previous = previous;
  }
}

/**
 * Values in order of arrival, each of which may leave at any time: for things that come and go with every
 * request. Not a Set: V8 links each table that a Set has outgrown, contents included, to the next one. Once one
 * of them is in old space, all later requests are kept, and copied, until the next full collection.
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

  /** Returns false if it has already left. */
  remove(link: Link<T>): boolean {
    if (!link.isIn) return false;
    const { previous, next } = link;
    if (previous === null) this.#first = next;
    else previous.next = next;
    if (next === null) this.#last = previous;
    else next.previous = previous;
    link.isIn = false;
    // A removed link must not keep later ones alive.
    link.previous = null;
    link.next = null;
    this.#size -= 1;
    return true;
  }

  /** Nothing may leave during the iteration; iterate over a copy if that cannot be guaranteed. */
  *[Symbol.iterator](): Iterator<T> {
    for (let link = this.#first; link !== null; link = link.next) yield link.value;
  }
}
