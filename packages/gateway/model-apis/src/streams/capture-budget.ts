/** Room for values that replace themselves (usage, a finish reason) once nothing more may be appended. */
const reserveBytes = 65_536;

/** How much of one answer is kept. Sizes are estimates in bytes of UTF-8, without escapes and punctuation. */
export class CaptureBudget {
  readonly #maxBytes: number;
  #used = 0;
  /** Something was left out. */
  exceeded = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Asks for room to append. Once refused, always refused: there must be no gaps. */
  append(bytes: number): boolean {
    if (this.exceeded || this.#used + bytes > this.#maxBytes) {
      this.exceeded = true;
      return false;
    }
    this.#used += bytes;
    return true;
  }

  /** Asks for the room by which a value outgrows the one it replaces. */
  grow(bytes: number): boolean {
    if (bytes <= 0) return true;
    if (this.#used + bytes > this.#maxBytes + reserveBytes) {
      this.exceeded = true;
      return false;
    }
    this.#used += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#used -= bytes;
  }
}
