import { createHash, timingSafeEqual } from "node:crypto";

/** The accepted tokens, kept as hashes and compared in constant time. */
export class Tokens {
  readonly #hashes: readonly Buffer[];
  /** The account that each token opens; null: all. */
  readonly #accounts: readonly (string | null)[];

  /**
   * @param ofAccounts tokens that open only one account, by its id
   * @throws TypeError there is none, or one cannot be sent in a header
   */
  constructor(
    forAll: readonly string[],
    ofAccounts: Readonly<Record<string, readonly string[]>> = {},
  ) {
    const own = Object.entries(ofAccounts).flatMap(([accountId, tokens]) =>
      tokens.map((token) => [token, accountId] as const),
    );
    const tokens = [...forAll, ...own.map(([token]) => token)];
    this.#accounts = [...forAll.map(() => null), ...own.map(([, accountId]) => accountId)];
    if (tokens.length === 0) throw new TypeError("tokens must have at least one entry");
    if (new Set(tokens).size < tokens.length) throw new TypeError("a token is given twice");
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

  /** The only account that a token opens; null: it opens all. */
  accountOf(index: number): string | null {
    return this.#accounts[index] ?? null;
  }
}

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
