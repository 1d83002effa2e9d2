import type { Ranking } from "@proj/points-client/wire";
import type { SnapshotReader } from "../../src/snapshots/snapshot-reader.ts";

export type RankingRecord = Readonly<Record<string, unknown>> & {
  readonly address: string;
  readonly rank: number;
};

/** All records of a ranking in the newest snapshot, which has at most 1000. */
export async function readRanking(
  reader: SnapshotReader,
  ranking: Ranking,
  season: string = "",
): Promise<RankingRecord[]> {
  const { body } = await reader.page({ ranking, address: null, offset: 0, size: 1000, season });
  return JSON.parse(body.toString()).leaderboard;
}
