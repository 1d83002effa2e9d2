import { type HttpError, InvalidAnswerError } from "@proj/http-client";
import type { Ranking } from "@proj/points-protocol";
import type { LeaderboardPage, LeaderboardQuery, WholeRankingOptions } from "./leaderboard-page.ts";

/**
 * A whole ranking, page by page, all of one snapshot: no record comes twice, and none is left out.
 * @throws SnapshotGoneError it is no longer kept; what came before is part of an older ranking
 * @param asked what errors call it
 * @throws InvalidAnswerError the server does not pin snapshots, so that pages may not fit together
 */
export async function* rankingPages<R extends Ranking>(
  ask: (query: LeaderboardQuery) => Promise<LeaderboardPage<R>>,
  asked: Pick<HttpError, "method" | "url">,
  { pageSize = 1_000, snapshot: pinned, ...options }: WholeRankingOptions,
): AsyncGenerator<LeaderboardPage<R>, void, undefined> {
  if (!Number.isSafeInteger(pageSize) || pageSize < 1)
    throw new RangeError(`pageSize must be a whole number from 1 on, not ${pageSize}`);
  let snapshot = pinned;
  for (let offset = 0; ; ) {
    const page = await ask({ ...options, offset, size: pageSize, snapshot });
    const records = page.leaderboard.length;
    const isLast = offset + records >= page.totalItems;
    if (page.snapshot === null && !isLast)
      throw new InvalidAnswerError(asked, "names no snapshot (x-snapshot) to read all pages of");
    if (records === 0 && !isLast)
      throw new InvalidAnswerError(asked, `ends at ${offset} of ${page.totalItems} records`);
    yield page;
    if (isLast) return;
    snapshot = page.snapshot ?? snapshot;
    offset += records;
  }
}
