import type { Ranking } from "@proj/points-protocol";

/** As the table `ranking_blocks` has them. */
export const rankingNumbers: Readonly<Record<Ranking, number>> = { total: 0, lp: 1, swaps: 2 };

/** Lines in a block: a few blocks are a page, and little is read for one line. */
export const linesPerBlock = 25;
