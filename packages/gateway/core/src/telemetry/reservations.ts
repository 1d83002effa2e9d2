/** Room in the queue that is reserved for rows still to come. */
export class Reservations {
  /** Called when the last reservation is gone. */
  onNone: (() => void) | null = null;
  /** Reservations made since the start. */
  taken = 0;
  /** Time of the last reservation, in milliseconds of `performance.now()`. */
  takenAt = 0;
  #rows = 0;
  #bytes = 0;

  get rows(): number {
    return this.#rows;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Makes a reservation and returns the function that gives it back. */
  take(bytes: number): () => void {
    this.#rows += 1;
    this.taken += 1;
    this.takenAt = performance.now();
    this.#bytes += bytes;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#rows -= 1;
      this.#bytes -= bytes;
      if (this.#rows === 0) this.onNone?.();
    };
  }
}
