import type { Ranking } from "@proj/points-client";

/**
 * A line of a ranking's block as the JSON of a record, its members in the order of the wire's table.
 * Nothing needs to be escaped: addresses and numbers have no characters that do, domains are JSON already.
 */
export function recordJson(ranking: Ranking, line: string, rank: number): string {
  const [address, points, last24hPoints, first, second] = line.split(" ");
  const common = `{"address":"${address}","points":"${points}","last24hPoints":"${last24hPoints}","rank":${rank}`;
  switch (ranking) {
    case "total":
      return `${common},"lpPoints":"${first}","swapPoints":"${second}"}`;
    case "lp":
      return `${common},"positions":${first}}`;
    case "swaps":
      return `${common},"swaps":${first}${second === undefined ? "" : `,"domain":${second}`}}`;
  }
}

/** The second field of a line. */
export function pointsOf(line: string): string {
  return line.split(" ", 2)[1] ?? "0";
}
