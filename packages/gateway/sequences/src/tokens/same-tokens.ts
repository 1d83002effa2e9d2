import { type CallTokens, sharedTokens } from "./call-tokens.ts";

/** Members that begin with the same `length` tokens; `tokens` is one example. */
interface Group<T> {
  readonly tokens: CallTokens;
  readonly members: T[];
}

/**
 * Finds members that begin with the same tokens. A lookup compares tokens once per group of its hash, usually
 * a single group, and never once per member: agents may repeat a long call a thousand times.
 */
export class SameTokens<T> {
  /** Keyed by length, then by hash. */
  readonly #groups = new Map<number, Map<number, Group<T>[]>>();

  /** All lengths, shortest first. */
  get lengths(): number[] {
    return [...this.#groups.keys()].sort((one, other) => one - other);
  }

  /** @param hash of the first `length` tokens */
  add(tokens: CallTokens, length: number, hash: number, member: T): void {
    const members = this.find(tokens, length, hash);
    if (members !== null) {
      members.push(member);
      return;
    }
    const hashes = this.#groups.get(length) ?? new Map<number, Group<T>[]>();
    this.#groups.set(length, hashes);
    hashes.set(hash, [...(hashes.get(hash) ?? []), { tokens, members: [member] }]);
  }

  /** All members that begin with the first `length` of these tokens; null if there are none. */
  find(tokens: CallTokens, length: number, hash: number): T[] | null {
    const groups = this.#groups.get(length)?.get(hash);
    const same = groups?.find((group) => sharedTokens(group.tokens, tokens, length) === length);
    return same?.members ?? null;
  }

  has(length: number, hash: number): boolean {
    return this.#groups.get(length)?.has(hash) ?? false;
  }

  *[Symbol.iterator](): Generator<readonly T[], void, undefined> {
    for (const hashes of this.#groups.values()) {
      for (const groups of hashes.values()) for (const { members } of groups) yield members;
    }
  }
}
