import type { Ranking } from "@proj/points-client";
import type { Account } from "../accrual/account.ts";

/** Who is in a ranking, and with what. */
export interface RankingRules {
  includes(account: Account): boolean;
  points(account: Account): bigint;
  last24hPoints(account: Account): bigint;
  /** The last fields of the line, as `entry.ts` reads them. */
  rest(account: Account): string;
}

/** @param domains by addresses */
export function rankingRules(
  domains: ReadonlyMap<string, string>,
): Readonly<Record<Ranking, RankingRules>> {
  const provides = ({ openPositions, lpPoints }: Account): boolean =>
    openPositions > 0 || lpPoints > 0n;
  return {
    total: {
      includes: (account) => account.swaps > 0 || provides(account),
      points: ({ lpPoints, swapPoints }) => lpPoints + swapPoints,
      last24hPoints: ({ recentLpPoints, recentSwapPoints }) => recentLpPoints + recentSwapPoints,
      rest: ({ lpPoints, swapPoints }) => `${lpPoints} ${swapPoints}`,
    },
    lp: {
      includes: provides,
      points: ({ lpPoints }) => lpPoints,
      last24hPoints: ({ recentLpPoints }) => recentLpPoints,
      rest: ({ openPositions }) => `${openPositions}`,
    },
    swaps: {
      includes: ({ swaps }) => swaps > 0,
      points: ({ swapPoints }) => swapPoints,
      last24hPoints: ({ recentSwapPoints }) => recentSwapPoints,
      rest: ({ swaps, address }) => `${swaps}${formatDomain(domains.get(address))}`,
    },
  };
}

/** As JSON, without the spaces that part a line's fields. */
function formatDomain(domain: string | undefined): string {
  return domain ? ` ${JSON.stringify(domain).replaceAll(" ", "\\u0020")}` : "";
}
