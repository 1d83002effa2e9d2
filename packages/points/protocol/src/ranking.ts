export const rankings: readonly ["total", "lp", "swaps"] = ["total", "lp", "swaps"];
export type Ranking = (typeof rankings)[number];

/** The common part of all records. Points are numeric strings, scaled by `pointsDecimal`. */
export interface RankedRecord {
  readonly address: string;
  readonly points: string;
  readonly last24hPoints: string;
  /** From 1. */
  readonly rank: number;
}

export interface TotalRecord extends RankedRecord {
  readonly lpPoints: string;
  readonly swapPoints: string;
}

export interface LpRecord extends RankedRecord {
  /** Open positions. */
  readonly positions: number;
}

export interface SwapsRecord extends RankedRecord {
  readonly swaps: number;
  readonly domain?: string;
}

export interface RecordOf {
  readonly total: TotalRecord;
  readonly lp: LpRecord;
  readonly swaps: SwapsRecord;
}

/** The answer of `/api/<network>/<ranking>/<address>`. */
export interface Leaderboard<R extends Ranking = Ranking> {
  /** The record of the requested address, at any rank; null: none was requested, or it is unknown. */
  readonly user: RecordOf[R] | null;
  readonly leaderboard: readonly RecordOf[R][];
  /** Records in the whole ranking. */
  readonly totalItems: number;
}
