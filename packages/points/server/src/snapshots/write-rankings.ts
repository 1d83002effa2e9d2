import type { Ranking } from "@proj/points-client/wire";
import type { AddressBook } from "../accrual/address-book.ts";
import { AccountLines } from "./account-lines.ts";
import { rankingNumbers } from "./ranking.ts";
import type { RankingDraft } from "./ranking-draft.ts";
import type { SnapshotBuild } from "./snapshot-build.ts";
import type { SnapshotDraft } from "./snapshot-draft.ts";
import { formatStanding, standingBlock, standingBlockCount } from "./standing.ts";

/** How many addresses are in each ranking, and how many blocks hold the standings. */
export interface RankingCounts extends Readonly<Record<Ranking, number>> {
  readonly standingBlocks: number;
}

/** By the numbers of the address book; 0: not in the ranking. */
type Ranks = Readonly<Record<Ranking, Uint32Array>>;

/** Writes everything that readers of a snapshot need. Frees what it has written at once: it is large. */
export async function writeRankings(
  build: SnapshotBuild,
  { book, rankings }: SnapshotDraft,
): Promise<RankingCounts> {
  const total = await writeRanking(build, rankings, "total");
  const lp = await writeRanking(build, rankings, "lp");
  const swaps = await writeRanking(build, rankings, "swaps");
  const standingBlocks = standingBlockCount(total.size);
  const ranks = { total: total.ranks, lp: lp.ranks, swaps: swaps.ranks };
  await build.writeStandings(standings(book, ranks, standingBlocks));
  return { total: total.size, lp: lp.size, swaps: swaps.size, standingBlocks };
}

async function writeRanking(
  build: SnapshotBuild,
  rankings: Map<Ranking, RankingDraft>,
  ranking: Ranking,
): Promise<{ readonly size: number; readonly ranks: Uint32Array }> {
  const draft = rankings.get(ranking);
  if (draft === undefined) throw new Error(`the ranking ${ranking} has already been written`);
  const { blocks, ranks } = draft.rank();
  await build.writeRanking(rankingNumbers[ranking], blocks);
  rankings.delete(ranking);
  return { size: draft.size, ranks };
}

/** Every address of any ranking is in the total ranking. */
function* standings(book: AddressBook, ranks: Ranks, blocks: number): Generator<Uint8Array> {
  const lines = new AccountLines(book);
  const blockOf = new Uint32Array(book.size);
  // Where each block's lines end once they are concatenated.
  const ends = new Uint32Array(blocks);
  for (let number = 0; number < book.size; number += 1) {
    const total = ranks.total[number] ?? 0;
    if (total === 0) continue;
    const block = standingBlock(book.bytesOf(number), blocks);
    blockOf[lines.size] = block;
    ends[block] = (ends[block] ?? 0) + 1;
    const standing = { total, lp: ranks.lp[number] ?? 0, swaps: ranks.swaps[number] ?? 0 };
    lines.add(number, formatStanding(standing));
  }
  for (let block = 1; block < blocks; block += 1) {
    ends[block] = (ends[block] ?? 0) + (ends[block - 1] ?? 0);
  }
  const places = new Uint32Array(lines.size);
  const next = Uint32Array.from(ends);
  for (let place = lines.size - 1; place >= 0; place -= 1) {
    const block = blockOf[place] ?? 0;
    const before = (next[block] ?? 0) - 1;
    next[block] = before;
    places[before] = place;
  }
  // By now `next` says where each block begins.
  for (const [block, end] of ends.entries()) yield lines.joined(places.subarray(next[block], end));
}
