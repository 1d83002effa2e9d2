import type { Ranking } from "@proj/points-client";

export interface PageQuery {
  readonly ranking: Ranking;
  /** Whose record is given beside the page; null: nobody's. */
  readonly address: string | null;
  /** Whole, not negative: how many come before the page. */
  readonly offset: number;
  /** Whole, not negative; above 1000 it is 1000. */
  readonly size: number;
  /** The id of one that is kept. @default the newest */
  readonly snapshot?: string | undefined;
}

export interface RankingPage {
  /** The one that all of the page is from; null: none has been built yet. */
  readonly snapshot: string | null;
  /** JSON in UTF-8: `{"user":…,"leaderboard":[…],"totalItems":…}`. */
  readonly body: Buffer;
  /** Short; the same for two pages only where their bodies are. */
  readonly version: string;
}
