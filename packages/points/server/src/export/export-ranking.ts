import { createHash } from "node:crypto";
import { type RankedRecord, type Ranking, rankings } from "@proj/points-client/wire";
import type { PointsStore } from "../points-store.ts";
import { type Claim, type ClaimProofs, writeClaimProofs } from "./claim-proofs.ts";
import { MerkleTree } from "./merkle-tree.ts";

export interface ExportOptions {
  /** @default "total" */
  readonly ranking?: Ranking | undefined;
  /** @default all time */
  readonly season?: string | undefined;
  /** Takes the parts of a file of proofs for claim contracts that use OpenZeppelin's `MerkleProof`. @default none */
  readonly writeProofs?: ((text: string) => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A summary of the exported file, to verify it by. */
export interface ExportManifest {
  readonly network: string;
  readonly ranking: Ranking;
  /** Null: all time. */
  readonly season: string | null;
  readonly snapshot: string;
  /** The snapshot's time in Unix seconds. */
  readonly time: number;
  readonly records: number;
  readonly pointsDecimal: number;
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string;
  /** The root of the tree (RFC 9162, SHA-256) whose leaves are `address,points`, in the order of the ranks. */
  readonly merkle_root: string;
  /** Of the file of proofs; absent: none was written. */
  readonly openzeppelin?: ClaimProofs;
}

const pageSize = 1_000;
/**
 * Writes a ranking of the newest snapshot as CSV, all of it from one snapshot: the same snapshot gives the
 * same bytes.
 * @param write takes the parts of the file one after the other
 * @throws NoSnapshotError; SnapshotGoneError three newer snapshots were built meanwhile
 */
export async function exportRanking(
  store: PointsStore,
  write: (text: string) => Promise<void>,
  { ranking = "total", season, writeProofs, signal }: ExportOptions = {},
): Promise<ExportManifest> {
  const hash = createHash("sha256");
  const tree = new MerkleTree();
  const put = async (lines: readonly string[]): Promise<void> => {
    const text = lines.map((line) => `${line}\n`).join("");
    hash.update(text);
    await write(text);
  };
  // A text would need quotes.
  const own = rankings[ranking].record.filter(({ kind }) => kind !== "text");
  const names = ["rank", "address", "points", "last24hPoints", ...own.map(({ name }) => name)];
  await put([names.join(",")]);
  const claims: Claim[] = [];
  let snapshot: string | undefined;
  for (let offset = 0; ; offset += pageSize) {
    signal?.throwIfAborted();
    const page = await store.readPage({
      ...{ ranking, season, snapshot, offset, address: null, size: pageSize },
    });
    snapshot = page.snapshot;
    const { leaderboard, totalItems }: ReadPage = JSON.parse(page.body.toString());
    for (const { address, points } of leaderboard) {
      tree.add(`${address},${points}`);
      if (writeProofs !== undefined) claims.push([address, points]);
    }
    // Addresses and numbers need no quotes.
    await put(leaderboard.map((record) => names.map((name) => record[name]).join(",")));
    if (offset + leaderboard.length < totalItems) continue;
    const openzeppelin = writeProofs && (await writeClaimProofs(claims, writeProofs));
    return {
      ...{ network: store.program.network, ranking, season: season ?? null, snapshot },
      ...{ time: page.time, records: totalItems, pointsDecimal: store.program.pointsDecimal },
      ...{ sha256: hash.digest("hex"), merkle_root: tree.root },
      ...(openzeppelin && { openzeppelin }),
    };
  }
}

interface ReadPage {
  readonly leaderboard: readonly (RankedRecord & Readonly<Record<string, unknown>>)[];
  readonly totalItems: number;
}
