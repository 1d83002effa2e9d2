/** Calls listeners; one that throws does not affect the others. */
export class Events<EventMap> {
  readonly #listeners: { [Event in keyof EventMap]?: Set<(value: EventMap[Event]) => void> } = {};

  /** @returns a function that removes the listener */
  on<Event extends keyof EventMap>(
    event: Event,
    listener: (value: EventMap[Event]) => void,
  ): () => void {
    const listeners = this.#listeners[event] ?? new Set();
    this.#listeners[event] = listeners;
    // Wrapped, so that the same function can listen twice.
    const added = (value: EventMap[Event]): void => listener(value);
    listeners.add(added);
    return () => void listeners.delete(added);
  }

  emit<Event extends keyof EventMap>(event: Event, value: EventMap[Event]): void {
    for (const listener of this.#listeners[event] ?? []) {
      try {
        listener(value);
      } catch (error) {
        // Rethrown later, so that one listener cannot stop the others.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
