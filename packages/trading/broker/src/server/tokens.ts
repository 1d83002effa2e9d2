import { createHash, timingSafeEqual } from "node:crypto";

/** The accepted tokens, kept as hashes and compared in constant time. */
export class Tokens {
  readonly #hashes: readonly Buffer[];

  /** @throws TypeError there is none, or one cannot be sent in a header */
  constructor(tokens: readonly string[]) {
    if (tokens.length === 0) throw new TypeError("tokens must have at least one entry");
    for (const token of tokens) {
      if (/^[\x21-\x7e]{8,200}$/.test(token)) continue;
      throw new TypeError("a token must be 8 to 200 visible ASCII characters without spaces");
    }
    this.#hashes = tokens.map(hash);
  }

  /** @returns the token's index; null: unknown */
  find(token: string): number | null {
    const hashed = hash(token);
    const index = this.#hashes.findIndex((known) => timingSafeEqual(known, hashed));
    return index < 0 ? null : index;
  }
}

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
