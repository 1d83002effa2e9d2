import type { Ranking } from "@proj/points-client";
import type { SnapshotReader } from "../../src/snapshots/snapshot-reader.ts";

export type RankingRecord = Readonly<Record<string, unknown>> & {
  readonly address: string;
  readonly rank: number;
};

export const rankings: readonly Ranking[] = ["total", "lp", "swaps"];

/** All records of a ranking of the newest snapshot, which has at most 1000. */
export async function readRanking(
  reader: SnapshotReader,
  ranking: Ranking,
): Promise<RankingRecord[]> {
  const { body } = await reader.page({ ranking, address: null, offset: 0, size: 1000 });
  return JSON.parse(body.toString()).leaderboard;
}
