import type { Ranking } from "@proj/points-client";
import type { Accounts } from "../accrual/account.ts";
import { inGroups } from "./in-groups.ts";
import { rankOrder } from "./rank-order.ts";
import { linesPerBlock, rankingNumbers } from "./ranking.ts";
import type { RankingRules } from "./ranking-rules.ts";
import type { SnapshotBuild } from "./snapshot-build.ts";
import { formatStanding, standingBlock, standingBlockCount } from "./standing.ts";

/** How many are in each ranking, and how many blocks say who is where. */
export interface RankingCounts extends Readonly<Record<Ranking, number>> {
  readonly standingBlocks: number;
}

/** By the accounts' indices; 0: it is not in the ranking. */
type Ranks = Readonly<Record<Ranking, Uint32Array>>;

/** Writes all that readers of a snapshot read. */
export async function writeRankings(
  build: SnapshotBuild,
  accounts: Accounts,
  rules: Readonly<Record<Ranking, RankingRules>>,
): Promise<RankingCounts> {
  const ranks: Ranks = {
    total: new Uint32Array(accounts.size),
    lp: new Uint32Array(accounts.size),
    swaps: new Uint32Array(accounts.size),
  };
  const write = (ranking: Ranking): Promise<number> =>
    writeRanking(build, accounts, ranking, rules[ranking], ranks[ranking]);
  const counts = {
    total: await write("total"),
    lp: await write("lp"),
    swaps: await write("swaps"),
  };
  const standingBlocks = standingBlockCount(counts.total);
  await build.writeStandings(standings(accounts, ranks, standingBlocks));
  return { ...counts, standingBlocks };
}

async function writeRanking(
  build: SnapshotBuild,
  accounts: Accounts,
  ranking: Ranking,
  rules: RankingRules,
  ranks: Uint32Array,
): Promise<number> {
  const members = [...accounts].filter((account) => rules.includes(account));
  const points = members.map((account) => rules.points(account));
  const order = rankOrder(points, (index) => members[index]?.address ?? "");

  function* lines(): Generator<string> {
    let rank = 0;
    for (const index of order) {
      const account = members[index];
      if (account === undefined) continue;
      rank += 1;
      ranks[account.index] = rank;
      yield `${account.address} ${points[index]} ${rules.last24hPoints(account)} ${rules.rest(account)}`;
    }
  }
  await build.writeRanking(rankingNumbers[ranking], inGroups(lines(), linesPerBlock));
  return members.length;
}

/** Whoever is in a ranking is in that of the totals. */
function* standings(accounts: Accounts, ranks: Ranks, blocks: number): Generator<string[]> {
  const lines: string[][] = Array.from({ length: blocks }, () => []);
  for (const { address, index } of accounts) {
    const total = ranks.total[index] ?? 0;
    if (total === 0) continue;
    const standing = { total, lp: ranks.lp[index] ?? 0, swaps: ranks.swaps[index] ?? 0 };
    lines[standingBlock(address, blocks)]?.push(formatStanding(address, standing));
  }
  yield* lines;
}
