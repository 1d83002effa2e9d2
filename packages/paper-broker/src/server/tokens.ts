import { createHash, timingSafeEqual } from "node:crypto";

/** The tokens that are accepted, compared in constant time; it keeps only their hashes. */
export class Tokens {
  readonly #hashes: readonly Buffer[];

  /** @throws TypeError there is none, or one that no header can carry */
  constructor(tokens: readonly string[]) {
    if (tokens.length === 0) throw new TypeError("tokens must have an entry");
    for (const token of tokens) {
      if (/^[\x21-\x7e]{8,200}$/.test(token)) continue;
      throw new TypeError("a token must be 8 to 200 visible ASCII characters without spaces");
    }
    this.#hashes = tokens.map(hash);
  }

  /** @returns which one it is; null: none of them */
  find(token: string): number | null {
    const asked = hash(token);
    const index = this.#hashes.findIndex((known) => timingSafeEqual(known, asked));
    return index < 0 ? null : index;
  }
}

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
