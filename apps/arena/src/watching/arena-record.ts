import type { ArenaEvent } from "../arena-event.ts";
import type { Standing } from "../scoring/standing.ts";
import type { ArenaMarket } from "../services/open-market.ts";
import type { Move } from "../traders/move.ts";
import type { ArenaFiles } from "./arena-files.ts";
import { Moves } from "./moves.ts";
import type { ArenaOverview, MatchStory, WatchedArena } from "./watched.ts";

/** However many pages watch, a running match is read this often. */
const keptMs = 1_000;

export type ArenaPlan = Omit<ArenaOverview, "matches" | "standings">;

interface Match {
  readonly job_id: string;
  readonly market: ArenaMarket;
  readonly moves: ReadonlyMap<string, Moves>;
  readonly errors: Map<string, string>;
  rewards: ReadonlyMap<string, number | null>;
  round: number;
  isOver: boolean;
  kept: { readonly story: Promise<MatchStory>; readonly until: number } | null;
}

/** What happens in an arena, for those who watch; each match is written to a file once it is over. */
export class ArenaRecord implements WatchedArena {
  readonly #plan: ArenaPlan;
  readonly #files: ArenaFiles;
  readonly #matches: Match[] = [];
  #standings: readonly Standing[] | null = null;

  constructor(plan: ArenaPlan, files: ArenaFiles) {
    this.#plan = plan;
    this.#files = files;
  }

  /** @returns the match's number */
  addMatch(job_id: string, market: ArenaMarket): number {
    const moves = new Map(this.#plan.traders.map(({ name }) => [name, new Moves()]));
    const begin = { round: 0, isOver: false, rewards: new Map(), kept: null };
    return this.#matches.push({ job_id, market, moves, errors: new Map(), ...begin });
  }

  hear(match: number, event: ArenaEvent): void {
    const heard = this.#match(match);
    if (event.event === "round_over") heard.round = event.round;
    else
      heard.errors.set(
        event.trader,
        event.event === "trader_late" ? "It took too long." : event.error,
      );
  }

  addMove(match: number, trader: string, text: string, calls: Move["calls"]): void {
    this.#match(match).moves.get(trader)?.add(text, calls);
  }

  async endMatch(match: number, results: readonly Omit<Standing, "rank">[]): Promise<void> {
    const ended = this.#match(match);
    ended.rewards = new Map(results.map(({ trader, reward }) => [trader, reward]));
    await this.#files.writeStory(match, await this.#read(ended));
    ended.isOver = true;
    await this.#files.writeOverview(this.overview());
  }

  async end(standings: readonly Standing[]): Promise<void> {
    this.#standings = standings;
    await this.#files.writeOverview(this.overview());
  }

  overview(): ArenaOverview {
    const matches = this.#matches.map(({ job_id, round, isOver: is_over }) => ({
      ...{ job_id, round, is_over },
    }));
    return { ...this.#plan, matches, standings: this.#standings };
  }

  async story(match: number): Promise<MatchStory | null> {
    const asked = this.#matches[match - 1];
    if (asked === undefined) return null;
    if (asked.isOver) return this.#files.readStory(match);
    const now = performance.now();
    if (asked.kept === null || asked.kept.until < now)
      asked.kept = { story: this.#read(asked), until: now + keptMs };
    return asked.kept.story;
  }

  #match(match: number): Match {
    const found = this.#matches[match - 1];
    if (found === undefined) throw new RangeError(`there is no match ${match}`);
    return found;
  }

  async #read({ market, moves, errors, rewards }: Match): Promise<MatchStory> {
    const traders = this.#plan.traders.map(async (trader) => ({
      name: trader.name,
      error: errors.get(trader.name) ?? null,
      reward: rewards.get(trader.name) ?? null,
      account: await market.account(trader),
      ...(moves.get(trader.name) ?? new Moves()).kept,
    }));
    return { traders: await Promise.all(traders) };
  }
}
