import type { MemberReader } from "../reading/member-reader.ts";

export type Ranking = "total" | "lp" | "swaps";

/** What the records of all rankings have. Points are numeric strings, scaled by `pointsDecimal`. */
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
  /** The open ones. */
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
  /** Of the address that was asked for, wherever it stands; null: none was, or it is unknown. */
  readonly user: RecordOf[R] | null;
  readonly leaderboard: readonly RecordOf[R][];
  /** Of the whole ranking. */
  readonly totalItems: number;
}

export function readLeaderboard<R extends Ranking>(
  ranking: R,
  answer: MemberReader,
): Leaderboard<R> {
  const read = readers[ranking];
  return {
    user: answer.has("user") ? read(answer.object("user")) : null,
    leaderboard: answer.list("leaderboard", read),
    totalItems: answer.integer("totalItems"),
  };
}

const readers: { readonly [R in Ranking]: (record: MemberReader) => RecordOf[R] } = {
  total: (record) => ({
    ...readRanked(record),
    lpPoints: record.numeric("lpPoints"),
    swapPoints: record.numeric("swapPoints"),
  }),
  lp: (record) => ({ ...readRanked(record), positions: record.integer("positions") }),
  swaps: (record) => ({
    ...readRanked(record),
    swaps: record.integer("swaps"),
    ...(record.has("domain") ? { domain: record.text("domain") } : {}),
  }),
};

const readRanked = (record: MemberReader): RankedRecord => ({
  address: record.text("address"),
  points: record.numeric("points"),
  last24hPoints: record.numeric("last24hPoints"),
  rank: record.integer("rank"),
});
