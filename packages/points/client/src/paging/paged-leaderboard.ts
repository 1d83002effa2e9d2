import { sleep } from "@proj/http-client";
import { SnapshotGoneError } from "../errors/snapshot-gone-error.ts";
import type { LeaderboardPage, LeaderboardQuery } from "../leaderboard-page.ts";
import type { PointsClient } from "../points-client.ts";
import type { Ranking } from "../wire.ts";

export interface PagedLeaderboardOptions {
  /** The address whose record becomes `user`. @default none */
  readonly address?: string | undefined;
  /** The name of a season, to show its ranking. @default all time */
  readonly season?: string | undefined;
  /** Records per page. @default 25 */
  readonly size?: number | undefined;
  /** Milliseconds between two checks for a newer snapshot. @default the service's `refreshTime` */
  readonly refreshMs?: number | undefined;
}

export interface PagedState<R extends Ranking> {
  /** Null: the first page is still loading, or failed to load. */
  readonly page: LeaderboardPage<R> | null;
  readonly offset: number;
  readonly isLoading: boolean;
  /** The error of the last call; `page` still has the previous page. */
  readonly error: unknown;
  /** There is a newer snapshot than the one shown: `refresh` shows it. */
  readonly isOutdated: boolean;
}

/**
 * Pages of a ranking for interactive use: all from one snapshot, however long the reader takes. The first page
 * updates by itself; on the others a newer snapshot is announced.
 */
export class PagedLeaderboard<R extends Ranking> implements Disposable {
  readonly #client: PointsClient;
  readonly #ranking: R;
  readonly #options: PagedLeaderboardOptions;
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  #state: PagedState<R> = {
    ...{ page: null, offset: 0, isLoading: true, error: null, isOutdated: false },
  };
  #calls = 0;

  constructor(client: PointsClient, ranking: R, options: PagedLeaderboardOptions = {}) {
    this.#client = client;
    this.#ranking = ranking;
    this.#options = options;
    void this.#load(0, undefined);
    void this.#follow();
  }

  get state(): PagedState<R> {
    return this.#state;
  }

  /** @returns ends the subscription */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Shows another page of the same snapshot. */
  goTo(offset: number): Promise<void> {
    return this.#load(Math.max(0, offset), this.#state.page?.snapshot ?? undefined);
  }

  next(): Promise<void> {
    const { page, offset } = this.#state;
    const end = offset + (page?.leaderboard.length ?? 0);
    return end < (page?.totalItems ?? 0) ? this.goTo(end) : Promise.resolve();
  }

  previous(): Promise<void> {
    return this.goTo(this.#state.offset - this.#size);
  }

  /** Shows the same offset in the newest snapshot. */
  refresh(): Promise<void> {
    return this.#load(this.#state.offset, undefined);
  }

  close(): void {
    this.#closing.abort(new Error("the pages are closed"));
    this.#listeners.clear();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  get #size(): number {
    return this.#options.size ?? 25;
  }

  async #load(offset: number, snapshot: string | undefined): Promise<void> {
    this.#calls += 1;
    const call = this.#calls;
    this.#set({ isLoading: true });
    try {
      const page = await this.#ask({ offset, size: this.#size, snapshot });
      // The reader has moved on in the meantime.
      if (call !== this.#calls) return;
      const isOutdated = snapshot !== undefined && this.#state.isOutdated;
      this.#set({ page, offset, isLoading: false, error: null, isOutdated });
    } catch (error) {
      if (call !== this.#calls) return;
      if (error instanceof SnapshotGoneError) return this.#load(offset, undefined);
      this.#set({ isLoading: false, error });
    }
  }

  #ask(query: LeaderboardQuery): Promise<LeaderboardPage<R>> {
    const { address, season } = this.#options;
    const { signal } = this.#closing;
    return this.#client.leaderboard(this.#ranking, { ...query, address, season, signal });
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const given = this.#options.refreshMs;
        await sleep(given ?? 1_000 * (await this.#client.config({ signal })).refreshTime, signal);
        const calls = this.#calls;
        const newest = await this.#ask({ offset: 0, size: 0 });
        const { page, offset, isLoading } = this.#state;
        // The reader has turned the page or refreshed in the meantime: this answer is about another page.
        if (isLoading || calls !== this.#calls) continue;
        if (page !== null && page.snapshot === newest.snapshot) continue;
        if (offset === 0) await this.refresh();
        else this.#set({ isOutdated: true });
      } catch {
        // Errors are shown for the reader's own calls only; this check is simply repeated.
        await sleep(1_000, signal).catch(() => {});
      }
    }
  }

  #set(change: Partial<PagedState<R>>): void {
    if (this.#closing.signal.aborted) return;
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
