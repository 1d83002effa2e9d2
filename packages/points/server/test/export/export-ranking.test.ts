import { createHash } from "node:crypto";
import { StandardMerkleTree } from "@openzeppelin/merkle-tree";
import { exportRanking } from "@proj/points-server";
import { describe, expect, test } from "vitest";
import { MerkleTree } from "../../src/export/merkle-tree.ts";
import { now, serveStore, swap } from "../http/served-store.ts";
import { databases } from "../storage/temporary-storage.ts";

const sha256 = (...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The hash of a list of leaves, as RFC 9162 (section 2.1.1) defines it. */
function rootOf(leaves: readonly string[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0] ?? "");
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  return sha256(Buffer.of(1), rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left)));
}

test("the root of any number of leaves is the one that RFC 9162 defines", () => {
  for (const size of [...Array.from({ length: 34 }, (_, size) => size), 100, 1_000, 1_025]) {
    const leaves = Array.from({ length: size }, (_, index) => `address-${index},${index * 7}`);
    const tree = new MerkleTree();
    for (const leaf of leaves) tree.add(leaf);
    expect(tree.root).toBe(rootOf(leaves).toString("hex"));
  }
});

describe.each(databases)("on %s", (database) => {
  const many = Array.from({ length: 2_500 }, (_, index) => swap(`a${index}`, index + 1));

  test("a ranking of several pages is exported from one snapshot, while newer ones are built", async () => {
    await using served = await serveStore(many, { database });
    const { store } = served;
    const parts: string[] = [];
    const write = async (text: string): Promise<void> => {
      parts.push(text);
      if (parts.length !== 2) return;
      await store.ingest([swap("first", 1_000_000)]);
      await store.buildSnapshot();
    };
    const before = await store.readSnapshot();
    const manifest = await exportRanking(store, write, { ranking: "swaps" });
    const csv = parts.join("");
    const [header, ...records] = csv.trimEnd().split("\n");
    expect(header).toBe("rank,address,points,last24hPoints,swaps");
    expect(records).toEqual(
      many.map((_, index) => {
        const points = `${2_500 - index}000000`;
        return `${index + 1},a${2_499 - index},${points},${points},1`;
      }),
    );
    const leaves = records.map((record) => record.split(",").slice(1, 3).join());
    expect(manifest).toEqual({
      ...{ network: "main", ranking: "swaps", season: null, records: 2_500, pointsDecimal: 6 },
      ...{ snapshot: before?.id, time: before?.time },
      sha256: sha256(csv).toString("hex"),
      merkle_root: rootOf(leaves).toString("hex"),
    });
    // The newest snapshot has one more.
    const newer = await exportRanking(store, async () => {});
    expect(newer).toMatchObject({ ranking: "total", records: 2_501 });
    expect(newer.snapshot).not.toBe(manifest.snapshot);
  });

  test("a season is exported by its name, and an empty ranking is only its header", async () => {
    const seasons = [
      { name: "early", startTimestamp: "0", endTimestamp: String(now - 7_200) },
      { name: "late", startTimestamp: String(now - 7_200) },
    ];
    await using served = await serveStore([swap("a", 1)], { database, program: { seasons } });
    const exported = async (season: string) => {
      const parts: string[] = [];
      const write = async (part: string): Promise<void> => void parts.push(part);
      const manifest = await exportRanking(served.store, write, { season });
      return { manifest, text: parts.join("") };
    };
    const late = await exported("late");
    expect(late.manifest).toMatchObject({ season: "late", records: 1 });
    expect(late.text).toContain("\n1,a,1000000,1000000,0,1000000\n");
    const early = await exported("early");
    expect(early.manifest).toMatchObject({ records: 0, merkle_root: sha256().toString("hex") });
    expect(early.text.split("\n")).toHaveLength(2);
  });

  test.each([
    ["of an EVM", (index: number) => `0x${String(index).padStart(40, "a")}`, "address"],
    ["of another network", (index: number) => `So${index}`, "string"],
  ] as const)("addresses %s get proofs that OpenZeppelin verifies", async (_which, name, type) => {
    const events = Array.from({ length: 130 }, (_, index) => swap(name(index), index + 1));
    await using served = await serveStore(events, { database });
    const parts: string[] = [];
    const writeProofs = async (part: string): Promise<void> => void parts.push(part);
    const { openzeppelin } = await exportRanking(served.store, async () => {}, { writeProofs });
    const { claims, ...head } = JSON.parse(parts.join(""));
    expect(head).toEqual(openzeppelin);
    expect(openzeppelin?.leaf_encoding).toEqual([type, "uint256"]);
    expect(Object.keys(claims)).toHaveLength(130);
    const { root = "" } = Object(openzeppelin);
    const encoding = [type, "uint256"];
    for (const [index, { address }] of events
      .map((event) => event as { address: string })
      .entries()) {
      const { points, proof } = claims[address];
      expect(points).toBe(`${index + 1}000000`);
      expect(StandardMerkleTree.verify(root, encoding, [address, points], proof)).toBe(true);
      expect(StandardMerkleTree.verify(root, encoding, [address, `${points}0`], proof)).toBe(false);
    }
  });

  test("an empty ranking has no proofs, and one of a single address an empty one", async () => {
    for (const events of [[], [swap("a", 1)]]) {
      await using served = await serveStore(events, { database });
      if (events.length === 0) await served.store.buildSnapshot();
      const parts: string[] = [];
      const writeProofs = async (part: string): Promise<void> => void parts.push(part);
      const { openzeppelin } = await exportRanking(served.store, async () => {}, { writeProofs });
      const { claims } = JSON.parse(parts.join(""));
      if (events.length === 0) expect([openzeppelin?.root, claims]).toEqual([null, {}]);
      else expect(claims).toEqual({ a: { points: "1000000", proof: [] } });
    }
  });
});
