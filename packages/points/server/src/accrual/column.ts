const pieceBits = 12;
/** How many values are allocated and freed together. */
export const pieceSize = 4096;

/**
 * Values by number, from 0; most may be unset. It grows in pieces: a single array of a million values would
 * be copied whole each time it grows, while others wait for the core.
 */
export class Column<Value> {
  readonly #pieces: (Value[] | undefined)[] = [];
  readonly #initial: Value;

  /** @param initial the value of numbers that were not set */
  constructor(initial: Value) {
    this.#initial = initial;
  }

  get(number: number): Value {
    const piece = this.#pieces[number >>> pieceBits];
    return piece === undefined ? this.#initial : (piece[number % pieceSize] ?? this.#initial);
  }

  set(number: number, value: Value): void {
    const index = number >>> pieceBits;
    while (this.#pieces.length <= index) this.#pieces.push(undefined);
    let piece = this.#pieces[index];
    if (piece === undefined) {
      piece = new Array<Value>(pieceSize).fill(this.#initial);
      this.#pieces[index] = piece;
    }
    piece[number % pieceSize] = value;
  }

  /** Resets the values of a whole piece to `initial`, and frees their memory. */
  forget(piece: number): void {
    if (piece < this.#pieces.length) this.#pieces[piece] = undefined;
  }
}
