import type { MemberReader } from "../reading/member-reader.ts";

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

export type Ranking = keyof RecordOf;

/** Scaled by `pointsDecimal`, as numeric strings; counts, as numbers; texts, which may be absent. */
export type MemberKind = "points" | "count" | "text";

/** All by which a ranking differs from another. */
export interface RankingForm<R extends Ranking = Ranking> {
  /** Its number in storage. */
  readonly number: number;
  /** For people. */
  readonly label: string;
  /** What its records have besides a `RankedRecord`, in this order; a text only at the end. */
  readonly record: readonly {
    readonly name: Exclude<keyof RecordOf[R], keyof RankedRecord> & string;
    readonly kind: MemberKind;
    /** For people. */
    readonly label: string;
  }[];
}

/** The only list of rankings: clients, server and page read it. */
export const rankings: { readonly [R in Ranking]: RankingForm<R> } = {
  total: {
    number: 0,
    label: "Total",
    record: [
      { name: "lpPoints", kind: "points", label: "Liquidity" },
      { name: "swapPoints", kind: "points", label: "Swaps" },
    ],
  },
  lp: {
    number: 1,
    label: "Liquidity",
    record: [{ name: "positions", kind: "count", label: "Open positions" }],
  },
  swaps: {
    number: 2,
    label: "Swaps",
    record: [
      { name: "swaps", kind: "count", label: "Swaps" },
      { name: "domain", kind: "text", label: "Domain" },
    ],
  },
};

export const rankingNames: readonly Ranking[] = Object.keys(rankings) as Ranking[];

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
  const read = (record: MemberReader): RecordOf[R] => readRecord(ranking, record);
  return {
    user: readUser(answer, read),
    leaderboard: answer.list("leaderboard", read),
    totalItems: answer.integer("totalItems"),
  };
}

function readRecord<R extends Ranking>(ranking: R, record: MemberReader): RecordOf[R] {
  const own: Record<string, number | string> = {};
  for (const { name, kind } of rankings[ranking].record) {
    if (kind === "count") own[name] = record.integer(name);
    else if (kind === "points") own[name] = record.numeric(name);
    else if (record.has(name)) own[name] = record.text(name);
  }
  const read: RankedRecord = { ...readRanked(record), ...own };
  if (!isWhole(ranking, read)) throw new TypeError(`a record of '${ranking}' lacks a member`);
  return read;
}

/** A text may be absent. */
const isWhole = <R extends Ranking>(ranking: R, read: RankedRecord): read is RecordOf[R] =>
  rankings[ranking].record.every(({ name, kind }) => kind === "text" || name in read);

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
