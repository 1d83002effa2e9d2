import type { Ranking } from "@proj/points-client";

/** As the table `ranking_blocks` has them. */
export const rankingNumbers: Readonly<Record<Ranking, number>> = { total: 0, lp: 1, swaps: 2 };

/** Lines in a block of a ranking: a page of the usual sizes, begun at a multiple of it, is in one block. */
export const linesPerBlock = 100;
