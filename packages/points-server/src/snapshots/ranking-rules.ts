import type { Ranking } from "@proj/points-client";
import type { Earnings } from "../accrual/earnings.ts";

/** Who is in a ranking, by numbers of the address book, and with what. */
export interface RankingRules {
  includes(number: number): boolean;
  points(number: number): bigint;
  last24hPoints(number: number): bigint;
  /** The last fields of the line, as `entry.ts` reads them. */
  rest(number: number): string;
}

/** @param domains by addresses */
export function rankingRules(
  earnings: Earnings,
  domains: ReadonlyMap<string, string>,
): Readonly<Record<Ranking, RankingRules>> {
  const { book, swaps, openPositions } = earnings;
  const lpPoints = (number: number): bigint => earnings.lpPoints[number] ?? 0n;
  const recentLpPoints = (number: number): bigint => earnings.recentLpPoints[number] ?? 0n;
  const swapPoints = (number: number): bigint => earnings.swapPoints[number] ?? 0n;
  const recentSwapPoints = (number: number): bigint => earnings.recentSwapPoints[number] ?? 0n;
  const swapped = (number: number): boolean => swaps[number] !== 0;
  const provides = (number: number): boolean =>
    openPositions[number] !== 0 || lpPoints(number) > 0n;
  return {
    total: {
      includes: (number) => swapped(number) || provides(number),
      points: (number) => lpPoints(number) + swapPoints(number),
      last24hPoints: (number) => recentLpPoints(number) + recentSwapPoints(number),
      rest: (number) => `${lpPoints(number)} ${swapPoints(number)}`,
    },
    lp: {
      includes: provides,
      points: lpPoints,
      last24hPoints: recentLpPoints,
      rest: (number) => `${openPositions[number]}`,
    },
    swaps: {
      includes: swapped,
      points: swapPoints,
      last24hPoints: recentSwapPoints,
      rest: (number) => {
        const domain = domains.size === 0 ? undefined : domains.get(book.addressOf(number));
        return `${swaps[number]}${formatDomain(domain)}`;
      },
    },
  };
}

/** As JSON in ASCII, without the spaces that part a line's fields. */
function formatDomain(domain: string | undefined): string {
  return domain ? ` ${JSON.stringify(domain).replace(/[^!-~]/g, escaped)}` : "";
}

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
