import { useEffect, useState } from "react";
import {
  PagedLeaderboard,
  type PagedLeaderboardOptions,
  type PagedState,
} from "./paging/paged-leaderboard.ts";
import type { PointsClient } from "./points-client.ts";
import type { Ranking } from "./wire.ts";

export interface UsedLeaderboard<R extends Ranking> extends PagedState<R> {
  /** Shows another page of the same snapshot. */
  readonly goTo: (offset: number) => void;
  readonly next: () => void;
  readonly previous: () => void;
  /** Shows the same offset in the newest snapshot. */
  readonly refresh: () => void;
}

const waiting = { page: null, offset: 0, isLoading: true, error: null, isOutdated: false };

/**
 * Pages of a ranking in a component: all from one snapshot while the reader turns them; the first page updates by
 * itself. Pass the same client on each render.
 */
export function useLeaderboard<R extends Ranking>(
  client: PointsClient,
  ranking: R,
  { address, season, size, refreshMs }: PagedLeaderboardOptions = {},
): UsedLeaderboard<R> {
  const [pages, setPages] = useState<PagedLeaderboard<R> | null>(null);
  const [state, setState] = useState<PagedState<R>>(waiting);
  useEffect(() => {
    const opened = new PagedLeaderboard(client, ranking, { address, season, size, refreshMs });
    setPages(opened);
    setState(opened.state);
    opened.subscribe(() => setState(opened.state));
    return () => opened.close();
  }, [client, ranking, address, season, size, refreshMs]);
  return {
    ...state,
    goTo: (offset) => void pages?.goTo(offset),
    next: () => void pages?.next(),
    previous: () => void pages?.previous(),
    refresh: () => void pages?.refresh(),
  };
}
