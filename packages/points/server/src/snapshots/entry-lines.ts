import type { Ranking } from "@proj/points-client/wire";
import type { Earnings } from "../accrual/earnings.ts";

/** An account's entry in a ranking. */
export interface Entry {
  readonly points: bigint;
  /** The line without the address, in the format that `record-block.ts` reads. */
  readonly line: string;
}

/** Undefined: the account is not in the ranking. */
export type Entries = Readonly<Record<Ranking, Entry | undefined>>;

/** @param domain empty or undefined: none */
export function entriesOf(earnings: Earnings, domain: string | undefined): Entries {
  const { swaps, openPositions, swapPoints, lpPoints } = earnings;
  const swapped = swaps > 0;
  const provides = openPositions > 0 || lpPoints > 0n;
  const recentSwaps = String(earnings.recentSwapPoints);
  const recentLp = String(earnings.recentLpPoints);
  const [swapText, lpText] = [String(swapPoints), String(lpPoints)];
  const entry = (points: bigint, last24hPoints: string, rest: string): Entry => ({
    points,
    line: ` ${points} ${last24hPoints} ${rest}`,
  });
  const total = (): Entry => {
    const recent = String(earnings.recentLpPoints + earnings.recentSwapPoints);
    return entry(lpPoints + swapPoints, recent, `${lpText} ${swapText}`);
  };
  return {
    total: swapped || provides ? total() : undefined,
    lp: provides ? entry(lpPoints, recentLp, `${openPositions}`) : undefined,
    swaps: swapped ? entry(swapPoints, recentSwaps, `${swaps}${formatDomain(domain)}`) : undefined,
  };
}

/** JSON in ASCII, without spaces: a space separates the fields of a line. */
function formatDomain(domain: string | undefined): string {
  return domain ? ` ${JSON.stringify(domain).replace(/[^!-~]/g, escaped)}` : "";
}

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
