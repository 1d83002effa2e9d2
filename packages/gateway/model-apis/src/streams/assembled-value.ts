import { writeJson } from "../json/exact-json.ts";
import type { CaptureBudget } from "./capture-budget.ts";

/** A value that arrives in pieces. */
export interface Assembled {
  /**
   * @param eventBytes size of the event that carried the piece: no value in it is larger
   * @param replaces the piece is the whole value and replaces what came before
   */
  add(piece: unknown, eventBytes: number, replaces: boolean): void;
  /** The value as a JSON text. */
  json(): string;
}

/** A value that arrives whole, perhaps more than once. */
export class AssembledValue implements Assembled {
  readonly #budget: CaptureBudget;
  readonly #which: "first" | "last" | "real";
  #value: unknown = null;
  #bytes = 0;

  constructor(budget: CaptureBudget, which: "first" | "last" | "real") {
    this.#budget = budget;
    this.#which = which;
  }

  add(piece: unknown, eventBytes: number): void {
    if (piece === null || !this.#takes(piece)) return;
    if (typeof piece === "string" || typeof piece === "object") {
      const bytes = typeof piece === "string" ? piece.length : eventBytes;
      if (!this.#budget.grow(bytes - this.#bytes)) return;
      this.#bytes = Math.max(this.#bytes, bytes);
    }
    this.#value = piece;
  }

  json(): string {
    return writeJson(this.#value);
  }

  #takes(piece: unknown): boolean {
    const hasValue = this.#value !== null && this.#value !== "" && this.#value !== 0;
    if (this.#which === "first") return !hasValue;
    return this.#which === "last" || !hasValue || (piece !== "" && piece !== 0);
  }
}

/** A value put together from its pieces. If none of the expected kind came, the last piece that did come. */
export abstract class AssembledPieces implements Assembled {
  protected readonly budget: CaptureBudget;
  #came = false;
  #other: AssembledValue | null = null;

  constructor(budget: CaptureBudget) {
    this.budget = budget;
  }

  add(piece: unknown, eventBytes: number, replaces: boolean): void {
    if (this.take(piece, eventBytes, replaces)) {
      this.#came = true;
    } else if (!this.#came && piece !== null) {
      this.#other ??= new AssembledValue(this.budget, "last");
      this.#other.add(piece, eventBytes);
    }
  }

  json(): string {
    return this.#came ? this.write() : (this.#other?.json() ?? "null");
  }

  /** Returns false for a piece of another kind. */
  protected abstract take(piece: unknown, eventBytes: number, replaces: boolean): boolean;
  protected abstract write(): string;
}
