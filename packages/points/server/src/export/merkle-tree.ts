import { createHash } from "node:crypto";

interface Subtree {
  readonly height: number;
  readonly hash: Buffer;
}

/**
 * The root of a Merkle tree as defined in RFC 9162 (section 2.1), with SHA-256: a leaf is hashed with a 0 byte
 * before it, and two subtrees with a 1 byte. Leaves are added one by one and not kept.
 */
export class MerkleTree {
  /** Complete subtrees, the largest first. */
  readonly #subtrees: Subtree[] = [];

  add(leaf: string): void {
    let added: Subtree = { height: 0, hash: sha256(Buffer.of(0), Buffer.from(leaf)) };
    for (
      let last = this.#subtrees.at(-1);
      last?.height === added.height;
      last = this.#subtrees.at(-1)
    ) {
      this.#subtrees.pop();
      added = { height: added.height + 1, hash: join(last.hash, added.hash) };
    }
    this.#subtrees.push(added);
  }

  /** Hexadecimal. */
  get root(): string {
    const hashes = this.#subtrees.map(({ hash }) => hash);
    if (hashes.length === 0) return sha256().toString("hex");
    return hashes.reduceRight((right, left) => join(left, right)).toString("hex");
  }
}

const join = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);

function sha256(...parts: readonly Buffer[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
