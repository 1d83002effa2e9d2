import type { Leaderboard, RankedRecord, Ranking, RecordOf } from "@proj/points-protocol";
import type { MemberReader } from "../reading/member-reader.ts";

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
