import type { Ranking } from "@proj/points-client/wire";

export interface PageQuery {
  readonly ranking: Ranking;
  /** The address whose record comes with the page; null: none. */
  readonly address: string | null;
  /** A whole number of at least 0: how many records come before the page. */
  readonly offset: number;
  /** A whole number of at least 0, capped at 1000. */
  readonly size: number;
  /** The name of a season. @default all time */
  readonly season?: string | undefined;
  /** The id of a snapshot that is kept. @default the newest */
  readonly snapshot?: string | undefined;
}

export interface RankingPage {
  /** The snapshot of the whole page. */
  readonly snapshot: string;
  /** The snapshot's time in Unix seconds. */
  readonly time: number;
  /** JSON in UTF-8: `{"user":…,"leaderboard":[…],"totalItems":…}`. */
  readonly body: Buffer;
  /** How many records come before the user's, even if some share its rank; null: the page has no user. */
  readonly userOffset: number | null;
  /** Short; equal for two pages only if their bodies are equal. */
  readonly version: string;
}
