const pieceBits = 12;
/** Numbers that come and go together. */
export const pieceSize = 4096;

/**
 * Values by numbers from 0, most of which may have none. It grows by pieces: an array of a million would be
 * copied whole every time that it needs more place, while others wait for the core.
 */
export class Column<Value> {
  readonly #pieces: (Value[] | undefined)[] = [];
  readonly #initial: Value;

  /** @param initial of those that were not set */
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

  /** The values of a whole piece are as if they had never been set, and free their memory. */
  forget(piece: number): void {
    if (piece < this.#pieces.length) this.#pieces[piece] = undefined;
  }
}
