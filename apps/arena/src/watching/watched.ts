import type { Standing } from "../scoring/standing.ts";
import type { AccountStory } from "../services/account-story.ts";
import type { Move } from "../traders/move.ts";
import type { Trader } from "../traders/trader.ts";

/** What an arena is, and how far it has come. */
export interface ArenaOverview {
  readonly job_id: string;
  /** Milliseconds since the epoch. */
  readonly started: number;
  readonly seed: number;
  readonly rounds: number;
  readonly step_minutes: number;
  /** The model's name; null: the built-in one. */
  readonly model: string | null;
  readonly traders: readonly Trader[];
  /** In order; those that have not begun too. */
  readonly matches: readonly MatchProgress[];
  /** Over all matches, best first; null: it is not over, or was ended early. */
  readonly standings: readonly Standing[] | null;
  /** Pages that say more; null: they are no longer served. */
  readonly pages: { readonly console: string; readonly points: string } | null;
}

export interface MatchProgress {
  readonly job_id: string;
  /** Rounds that are over. */
  readonly round: number;
  readonly is_over: boolean;
}

export interface MatchStory {
  readonly traders: readonly TraderStory[];
}

/** How a trader did in a match so far. */
export interface TraderStory {
  readonly name: string;
  /** Why it is out; null: it is not. */
  readonly error: string | null;
  readonly account: AccountStory;
  readonly reward: number | null;
  /** The newest ones, in order. */
  readonly moves: readonly Move[];
  /** How many earlier ones are left out. */
  readonly left_out: number;
}

/** An arena that a page shows, whether it runs or is kept in files. */
export interface WatchedArena {
  overview(): ArenaOverview;
  /** @param match starts at 1; null: there is no such match, or it has not begun */
  story(match: number): Promise<MatchStory | null>;
}
