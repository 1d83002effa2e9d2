import type { Ranking } from "@proj/points-protocol";

export interface PageQuery {
  readonly ranking: Ranking;
  /** Whose record is given beside the page; null: nobody's. */
  readonly address: string | null;
  /** Whole, not negative: how many come before the page. */
  readonly offset: number;
  /** Whole, not negative; above 1000 it is 1000. */
  readonly size: number;
  /** The name of a season. @default all times */
  readonly season?: string | undefined;
  /** The id of one that is kept. @default the newest */
  readonly snapshot?: string | undefined;
}

export interface RankingPage {
  /** The one that all of the page is from. */
  readonly snapshot: string;
  /** Unix seconds, of the snapshot. */
  readonly time: number;
  /** JSON in UTF-8: `{"user":…,"leaderboard":[…],"totalItems":…}`. */
  readonly body: Buffer;
  /** Short; the same for two pages only where their bodies are. */
  readonly version: string;
}
