import type { Ranking } from "@proj/points-client/wire";

/** As in the table `ranking_blocks`. */
export const rankingNumbers: Readonly<Record<Ranking, number>> = { total: 0, lp: 1, swaps: 2 };

/** Lines per block: a page is a few blocks, and little is read for a single line. */
export const linesPerBlock = 25;
