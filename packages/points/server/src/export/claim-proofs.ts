/** A leaf of the tree: an address, and its points as a numeric string. */
export type Claim = readonly [address: string, points: string];

export interface ClaimProofs {
  /** Solidity types of a leaf: `address`, or `string` if some addresses are not those of an EVM; and `uint256`. */
  readonly leaf_encoding: readonly ["address" | "string", "uint256"];
  /** Hexadecimal with `0x`; null: there are no claims. */
  readonly root: string | null;
}

const evmAddress = /^0x[0-9a-fA-F]{40}$/;

/**
 * Writes what a claim contract verifies with OpenZeppelin's `MerkleProof`: keccak256, leaves hashed twice, pairs sorted
 * (their `StandardMerkleTree`). All of it is in memory at the same time.
 * @param write takes the parts of a JSON document `{ leaf_encoding, root, claims: { [address]: { points, proof } } }`
 */
export async function writeClaimProofs(
  claims: readonly Claim[],
  write: (text: string) => Promise<void>,
): Promise<ClaimProofs> {
  // Loaded only for this: it brings a library of cryptography along.
  const { StandardMerkleTree } = await import("@openzeppelin/merkle-tree");
  const isEvm = claims.every(([address]) => evmAddress.test(address));
  const leaf_encoding: ClaimProofs["leaf_encoding"] = [isEvm ? "address" : "string", "uint256"];
  const tree =
    claims.length === 0
      ? null
      : StandardMerkleTree.of(
          claims.map((claim) => [...claim]),
          [...leaf_encoding],
        );
  const { tree: nodes = [], values = [] } = tree?.dump() ?? {};
  const proofs: ClaimProofs = { leaf_encoding, root: tree?.root ?? null };
  await write(`${JSON.stringify(proofs).slice(0, -1)},"claims":{`);
  for (const [index, [address, points]] of claims.entries()) {
    const claim = JSON.stringify({ points, proof: proofOf(values[index]?.treeIndex ?? 0, nodes) });
    await write(`${index === 0 ? "" : ","}\n"${address}":${claim}`);
  }
  await write("\n}}\n");
  return proofs;
}

/**
 * The siblings on the way to the root. `getProof` of the library also verifies each, which takes longer than the tree.
 * @param nodes level by level, the root first
 */
function proofOf(leaf: number, nodes: readonly string[]): string[] {
  const proof: string[] = [];
  for (let at = leaf; at > 0; at = (at - 1) >> 1)
    proof.push(nodes[at % 2 === 0 ? at - 1 : at + 1] ?? "");
  return proof;
}
