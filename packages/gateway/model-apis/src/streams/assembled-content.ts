import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { AssembledText } from "./assembled-text.ts";
import { type Assembled, AssembledPieces } from "./assembled-value.ts";
import type { CaptureBudget } from "./capture-budget.ts";

interface Part {
  readonly type: unknown;
  readonly object: Assembled;
  /** A block of thinking ends with its signature. */
  isSigned: boolean;
}

export interface PartKinds {
  /** Whether successive pieces of this type are one part. */
  continues(type: string): boolean;
  /** An empty part; null if there is no room for it. */
  create(): Assembled | null;
}

/**
 * A text that may come as a list of parts, as from Mistral's models that think. Texts alone stay a string; a text after
 * a part is a part of its own.
 */
export class AssembledContent extends AssembledPieces {
  readonly #kinds: PartKinds;
  readonly #text: AssembledText;
  readonly #parts: Part[] = [];

  constructor(kinds: PartKinds, budget: CaptureBudget) {
    super(budget);
    this.#kinds = kinds;
    this.#text = new AssembledText(budget);
  }

  protected override take(piece: unknown, eventBytes: number, replaces: boolean): boolean {
    if (typeof piece === "string") {
      if (this.#parts.length === 0) this.#text.add(piece, eventBytes, replaces);
      else if (piece !== "") this.#addPart({ type: "text", text: piece }, eventBytes);
      return true;
    }
    if (!Array.isArray(piece)) return false;
    const parts = piece.filter(isJsonObject);
    for (const part of parts) this.#addPart(part, eventBytes);
    return parts.length > 0;
  }

  protected override write(): string {
    if (this.#parts.length === 0) return this.#text.json();
    const parts = this.#parts.map(({ object }) => object.json());
    const text = this.#text.json();
    // What came before the first part. Many streams begin with an empty text.
    if (text !== "null" && text !== '""') parts.unshift(`{"type":"text","text":${text}}`);
    return `[${parts.join(",")}]`;
  }

  #addPart(piece: JsonObject, eventBytes: number): void {
    const { type } = piece;
    let part = this.#parts.at(-1);
    const continues = part?.type === type && !part?.isSigned;
    if (part === undefined || !continues || !this.#continues(type)) {
      const object = this.#kinds.create();
      if (object === null) return;
      part = { type, object, isSigned: false };
      this.#parts.push(part);
    }
    part.object.add(piece, eventBytes, false);
    part.isSigned = typeof piece.signature === "string" && piece.signature !== "";
  }

  #continues(type: unknown): boolean {
    return typeof type === "string" && this.#kinds.continues(type);
  }
}
