import type { Leaderboard, Ranking } from "@proj/points-protocol";
import type { CallOptions } from "./calls/ask.ts";

export interface LeaderboardQuery extends CallOptions {
  /** Whose record is `user`. @default none */
  readonly address?: string | undefined;
  /** Where the page begins. @default 0 */
  readonly offset?: number | undefined;
  /** Records of the page; a server may give fewer. @default the server's, 25 */
  readonly size?: number | undefined;
  /** The name of a season, for its own ranking. @default all times */
  readonly season?: string | undefined;
  /** Of an earlier page, to go on in the same ranking. @default the newest */
  readonly snapshot?: string | undefined;
}

export interface LeaderboardPage<R extends Ranking = Ranking> extends Leaderboard<R> {
  /** Which the whole answer was taken from; null: the server does not say, or there is none yet. */
  readonly snapshot: string | null;
}

export interface WholeRankingOptions extends CallOptions {
  /** Records asked for at once. @default 1000 */
  readonly pageSize?: number | undefined;
  /** The name of a season, for its own ranking. @default all times */
  readonly season?: string | undefined;
  /** @default the newest when the first page is read */
  readonly snapshot?: string | undefined;
}
