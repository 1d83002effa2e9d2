import type { Move } from "../traders/move.ts";

/** Most moves that are kept of a trader. */
const maxMoves = 500;
const maxTextLength = 4_000;
const maxCallLength = 600;
const maxCalls = 16;

/** The newest moves of a trader, each in its round. */
export class Moves {
  readonly #moves: Move[] = [];
  #leftOut = 0;
  #round = 0;

  add(text: string, calls: Move["calls"]): void {
    const shown = calls.slice(0, maxCalls).map(({ name, arguments: given, result }) => ({
      name: cut(name, maxCallLength),
      arguments: cut(given, maxCallLength),
      result: cut(result, maxCallLength),
    }));
    this.#moves.push({ round: this.#round, text: cut(text, maxTextLength), calls: shown });
    if (this.#moves.length > maxMoves) {
      this.#moves.shift();
      this.#leftOut += 1;
    }
    for (const { name, result } of calls) if (name === "next_round") this.#begin(result);
  }

  get kept(): { readonly moves: readonly Move[]; readonly left_out: number } {
    return { moves: [...this.#moves], left_out: this.#leftOut };
  }

  #begin(result: string): void {
    try {
      const { round } = Object(JSON.parse(result));
      if (Number.isSafeInteger(round)) this.#round = round;
    } catch {
      // A refusal in words.
    }
  }
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).toWellFormed()} …`;
