/** Places in the queue that are promised to rows still to come. */
export class Reservations {
  /** Called when the last promised place is gone. */
  onNone: (() => void) | null = null;
  /** Places promised since the start. */
  taken = 0;
  /** When the last one was, in milliseconds of `performance.now()`. */
  takenAt = 0;
  #rows = 0;
  #bytes = 0;

  get rows(): number {
    return this.#rows;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes a place and returns how to give it back. */
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
