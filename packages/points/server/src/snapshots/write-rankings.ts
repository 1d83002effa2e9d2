import { rankings as forms, type Ranking, rankingNames } from "@proj/points-client/wire";
import type { AddressBook } from "../accrual/address-book.ts";
import { AccountLines } from "./account-lines.ts";
import type { SnapshotBuild } from "./snapshot-build.ts";
import type { SnapshotDraft } from "./snapshot-draft.ts";
import { formatStanding, standingBlock, standingBlockCount } from "./standing.ts";

/** How many addresses are in each ranking, and how many blocks hold the standings. */
export interface RankingCounts extends Readonly<Record<Ranking, number>> {
  readonly standingBlocks: number;
}

/** Places by the numbers of the address book; 0: not in the ranking. */
type Places = Readonly<Record<Ranking, Uint32Array>>;

/**
 * Writes everything that readers of a snapshot need. Frees what it has written at once: it is large.
 * @param isShared whether equal points share a rank
 */
export async function writeRankings(
  build: SnapshotBuild,
  { book, rankings }: SnapshotDraft,
  isShared: boolean,
): Promise<RankingCounts> {
  const counts: Partial<Record<Ranking, number>> = {};
  const all: Partial<Record<Ranking, Uint32Array>> = {};
  for (const ranking of rankingNames) {
    const draft = rankings.get(ranking);
    if (draft === undefined) throw new Error(`the ranking ${ranking} has already been written`);
    const { blocks, places } = draft.rank(isShared);
    await build.writeRanking(forms[ranking].number, blocks);
    rankings.delete(ranking);
    counts[ranking] = draft.size;
    all[ranking] = places;
  }
  const standingBlocks = standingBlockCount(counts.total ?? 0);
  await build.writeStandings(standings(book, all as Places, standingBlocks));
  return { ...(counts as Record<Ranking, number>), standingBlocks };
}

/** Every address of any ranking is in the total ranking. */
function* standings(book: AddressBook, places: Places, blocks: number): Generator<Uint8Array> {
  const lines = new AccountLines(book);
  const blockOf = new Uint32Array(book.size);
  // Where each block's lines end once they are concatenated.
  const ends = new Uint32Array(blocks);
  for (let number = 0; number < book.size; number += 1) {
    if ((places.total[number] ?? 0) === 0) continue;
    const block = standingBlock(book.bytesOf(number), blocks);
    blockOf[lines.size] = block;
    ends[block] = (ends[block] ?? 0) + 1;
    lines.add(
      number,
      formatStanding((ranking) => places[ranking][number] ?? 0),
    );
  }
  for (let block = 1; block < blocks; block += 1) {
    ends[block] = (ends[block] ?? 0) + (ends[block - 1] ?? 0);
  }
  const order = new Uint32Array(lines.size);
  const next = Uint32Array.from(ends);
  for (let place = lines.size - 1; place >= 0; place -= 1) {
    const block = blockOf[place] ?? 0;
    const before = (next[block] ?? 0) - 1;
    next[block] = before;
    order[before] = place;
  }
  // By now `next` says where each block begins.
  for (const [block, end] of ends.entries()) yield lines.joined(order.subarray(next[block], end));
}
