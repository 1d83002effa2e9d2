import type { CallOptions } from "./calls/ask.ts";
import type { Leaderboard, Ranking } from "./wire.ts";

export interface LeaderboardQuery extends CallOptions {
  /** The address whose record becomes `user`. @default none */
  readonly address?: string | undefined;
  /** How many records come before the page. @default 0 */
  readonly offset?: number | undefined;
  /** Records per page; a server may return fewer. @default the server's, 25 */
  readonly size?: number | undefined;
  /** The name of a season, to read its ranking. @default all time */
  readonly season?: string | undefined;
  /** The snapshot of an earlier page, to continue in the same ranking. @default the newest */
  readonly snapshot?: string | undefined;
}

export interface LeaderboardPage<R extends Ranking = Ranking> extends Leaderboard<R> {
  /** The snapshot of the whole answer; null: the server does not say, or there is none yet. */
  readonly snapshot: string | null;
  /** How many records come before the user's: others may share its rank. Null: there is no user. */
  readonly userOffset: number | null;
}

export interface WholeRankingOptions extends CallOptions {
  /** Records per request. @default 1000 */
  readonly pageSize?: number | undefined;
  /** The name of a season, to read its ranking. @default all time */
  readonly season?: string | undefined;
  /** @default the newest when the first page is read */
  readonly snapshot?: string | undefined;
}
