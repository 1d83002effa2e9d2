/**
 * Something that happens once. It tells its listeners itself, at once and in the order in which they came; one that
 * comes later is told immediately. A promise would take a turn and an allocation for each of them, in every call.
 */
export class Once<T> {
  /** Null once it has happened. */
  #listeners: ((value: T) => void)[] | null = [];
  #value: T | undefined;

  /** A second time is ignored. */
  happen(value: T): void {
    const listeners = this.#listeners;
    if (listeners === null) return;
    this.#value = value;
    this.#listeners = null;
    for (const listener of listeners) listener(value);
  }

  when(listener: (value: T) => void): void {
    if (this.#listeners === null) listener(this.#value as T);
    else this.#listeners.push(listener);
  }

  /** For a caller that waits. */
  promise(): Promise<T> {
    return new Promise((resolve) => this.when(resolve));
  }
}

/** Something that has happened before anyone could ask. */
export function happened<T>(value: T): Once<T> {
  const once = new Once<T>();
  once.happen(value);
  return once;
}
