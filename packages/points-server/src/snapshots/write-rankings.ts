import type { Ranking } from "@proj/points-client";
import type { AddressBook } from "../accrual/address-book.ts";
import { LineStore } from "./line-store.ts";
import { rankOrder } from "./rank-order.ts";
import { linesPerBlock, rankingNumbers } from "./ranking.ts";
import type { RankingRules } from "./ranking-rules.ts";
import type { SnapshotBuild } from "./snapshot-build.ts";
import { formatStanding, standingBlock, standingBlockCount } from "./standing.ts";

/** How many are in each ranking, and how many blocks say who is where. */
export interface RankingCounts extends Readonly<Record<Ranking, number>> {
  readonly standingBlocks: number;
}

/** By the numbers of the address book; 0: it is not in the ranking. */
type Ranks = Readonly<Record<Ranking, Uint32Array>>;

/** Writes all that readers of a snapshot read. */
export async function writeRankings(
  build: SnapshotBuild,
  book: AddressBook,
  rules: Readonly<Record<Ranking, RankingRules>>,
): Promise<RankingCounts> {
  const ranks: Ranks = {
    total: new Uint32Array(book.size),
    lp: new Uint32Array(book.size),
    swaps: new Uint32Array(book.size),
  };
  const write = (ranking: Ranking): Promise<number> =>
    writeRanking(build, book, ranking, rules[ranking], ranks[ranking]);
  const counts = {
    total: await write("total"),
    lp: await write("lp"),
    swaps: await write("swaps"),
  };
  const standingBlocks = standingBlockCount(counts.total);
  await build.writeStandings(standings(book, ranks, standingBlocks));
  return { ...counts, standingBlocks };
}

/**
 * Lines are written in the order in which what they say stands in memory, and then read in the order of
 * the ranking: the other way round, every number in a line would have to be looked for.
 */
async function writeRanking(
  build: SnapshotBuild,
  book: AddressBook,
  ranking: Ranking,
  rules: RankingRules,
  ranks: Uint32Array,
): Promise<number> {
  const members: number[] = [];
  const points: bigint[] = [];
  const lines = new LineStore();
  for (let number = 0; number < book.size; number += 1) {
    if (!rules.includes(number)) continue;
    members.push(number);
    const own = rules.points(number);
    points.push(own);
    const address = book.addressOf(number);
    lines.add(`${address} ${own} ${rules.last24hPoints(number)} ${rules.rest(number)}`);
  }
  const numberAt = (index: number | undefined): number => members[index ?? -1] ?? -1;
  const order = rankOrder(points, (a, b) => book.compare(numberAt(a), numberAt(b)));
  for (const [place, index] of order.entries()) ranks[numberAt(index)] = place + 1;

  function* blocks(): Generator<string> {
    for (let first = 0; first < order.length; first += linesPerBlock) {
      yield lines.joined(order.subarray(first, first + linesPerBlock));
    }
  }
  await build.writeRanking(rankingNumbers[ranking], blocks());
  return members.length;
}

/** Whoever is in a ranking is in that of the totals. */
function* standings(book: AddressBook, ranks: Ranks, blocks: number): Generator<string> {
  const lines = new LineStore();
  const linesOf: number[][] = Array.from({ length: blocks }, () => []);
  for (const [number, total] of ranks.total.entries()) {
    if (total === 0) continue;
    const address = book.addressOf(number);
    linesOf[standingBlock(address, blocks)]?.push(lines.size);
    const standing = { total, lp: ranks.lp[number] ?? 0, swaps: ranks.swaps[number] ?? 0 };
    lines.add(formatStanding(address, standing));
  }
  for (const numbers of linesOf) yield lines.joined(numbers);
}
