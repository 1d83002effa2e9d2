import type { MemberReader } from "../reading/member-reader.ts";

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

export function readLeaderboard<R extends Ranking>(
  ranking: R,
  answer: MemberReader,
): Leaderboard<R> {
  const read = readers[ranking];
  return {
    user: readUser(answer, read),
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

/** Some services send a record without a rank for an address that is not in the ranking. */
function readUser<User>(answer: MemberReader, read: (record: MemberReader) => User): User | null {
  if (!answer.has("user")) return null;
  const user = answer.object("user");
  return user.isNull("rank") ? null : read(user);
}

const readRanked = (record: MemberReader): RankedRecord => ({
  address: record.text("address"),
  points: record.numeric("points"),
  last24hPoints: record.numeric("last24hPoints"),
  rank: record.integer("rank"),
});
