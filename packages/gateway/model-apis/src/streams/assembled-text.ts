import { writeJson } from "../json/exact-json.ts";
import { AssembledPieces } from "./assembled-value.ts";

/** Few enough to join cheaply, many enough that a block's own cost per part is negligible. */
const partsPerBlock = 64;

/** A value that grows by small texts. Joined into blocks, they take a fraction of the memory. */
abstract class AssembledParts extends AssembledPieces {
  #parts: string[] = [];
  #blocks: string[] = [];
  protected bytes = 0;

  /** Returns false if there is no more room. */
  protected append(part: string, bytes: number): boolean {
    if (!this.budget.append(bytes)) return false;
    this.bytes += bytes;
    if (this.#parts.push(part) === partsPerBlock) {
      this.#blocks.push(this.#parts.join(""));
      this.#parts = [];
    }
    return true;
  }

  protected join(): string {
    return this.#blocks.join("") + this.#parts.join("");
  }

  /** Once the budget is exceeded, keeps what it has: there may be no room for the replacement. */
  protected clear(): void {
    if (this.budget.exceeded) return;
    this.budget.release(this.bytes);
    this.bytes = 0;
    this.#parts = [];
    this.#blocks = [];
  }
}

/** Strings, concatenated. */
export class AssembledText extends AssembledParts {
  protected override take(piece: unknown, _eventBytes: number, replaces: boolean): boolean {
    if (typeof piece !== "string") return false;
    if (replaces) this.clear();
    this.append(piece, Buffer.byteLength(piece));
    return true;
  }

  protected override write(): string {
    return writeJson(this.join());
  }
}

/** A name, which comes whole with every piece, or in pieces. */
export class AssembledName extends AssembledPieces {
  #name = "";

  protected override take(piece: unknown): boolean {
    if (typeof piece !== "string") return false;
    if (piece !== this.#name && this.budget.append(Buffer.byteLength(piece))) this.#name += piece;
    return true;
  }

  protected override write(): string {
    return writeJson(this.#name);
  }
}

/** Arrays, concatenated. Kept as text: as objects, log probabilities take several times the memory. */
export class AssembledList extends AssembledParts {
  protected override take(piece: unknown, _eventBytes: number, replaces: boolean): boolean {
    if (!Array.isArray(piece)) return false;
    if (replaces) this.clear();
    for (const element of piece) {
      const text = writeJson(element);
      if (!this.append(this.bytes === 0 ? text : `,${text}`, text.length + 1)) break;
    }
    return true;
  }

  protected override write(): string {
    return `[${this.join()}]`;
  }
}

/** Pieces of base64, each possibly padded. */
export class AssembledBase64 extends AssembledPieces {
  readonly #pieces: Buffer[] = [];

  protected override take(piece: unknown): boolean {
    if (typeof piece !== "string") return false;
    if (this.budget.append(piece.length)) this.#pieces.push(Buffer.from(piece, "base64"));
    return true;
  }

  protected override write(): string {
    return writeJson(Buffer.concat(this.#pieces).toString("base64"));
  }
}

/** Pieces of a JSON text; if they do not add up to JSON, the text is kept as a string. */
export class AssembledJson extends AssembledParts {
  override add(piece: unknown, eventBytes: number, replaces: boolean): void {
    // An empty piece begins the value of a call without arguments.
    if (piece !== "") super.add(piece, eventBytes, replaces);
  }

  protected override take(piece: unknown): boolean {
    if (typeof piece !== "string") return false;
    this.append(piece, Buffer.byteLength(piece));
    return true;
  }

  protected override write(): string {
    const text = this.join();
    try {
      JSON.parse(text);
      return text;
    } catch {
      return writeJson(text);
    }
  }
}
