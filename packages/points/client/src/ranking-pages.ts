import { type HttpError, InvalidAnswerError } from "@proj/http-client";
import type { LeaderboardPage, LeaderboardQuery, WholeRankingOptions } from "./leaderboard-page.ts";
import type { Ranking } from "./wire.ts";

/**
 * A whole ranking, page by page, from one snapshot: every record once.
 * @param asked the request, for errors
 * @throws SnapshotGoneError it is no longer kept; the pages so far belong to an older ranking
 * @throws InvalidAnswerError the server does not pin snapshots, so pages might not fit together
 */
export async function* rankingPages<R extends Ranking>(
  ask: (query: LeaderboardQuery) => Promise<LeaderboardPage<R>>,
  asked: Pick<HttpError, "method" | "url">,
  { pageSize = 1_000, snapshot: pinned, ...options }: WholeRankingOptions,
): AsyncGenerator<LeaderboardPage<R>, void, undefined> {
  if (!Number.isSafeInteger(pageSize) || pageSize < 1)
    throw new RangeError(`pageSize must be a whole number of at least 1, not ${pageSize}`);
  let snapshot = pinned;
  for (let offset = 0; ; ) {
    const page = await ask({ ...options, offset, size: pageSize, snapshot });
    const records = page.leaderboard.length;
    const isLast = offset + records >= page.totalItems;
    if (page.snapshot === null && !isLast)
      throw new InvalidAnswerError(
        asked,
        "does not name a snapshot (x-snapshot) to read all pages from",
      );
    if (records === 0 && !isLast)
      throw new InvalidAnswerError(asked, `ends at ${offset} of ${page.totalItems} records`);
    yield page;
    if (isLast) return;
    snapshot = page.snapshot ?? snapshot;
    offset += records;
  }
}
