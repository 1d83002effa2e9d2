import type { EnvironmentRow } from "./environment-row.ts";

export interface JobFeedQuery {
  readonly job_id: string;
  /** The `position` of the last known group. @default 0 */
  readonly after?: number | undefined;
  /** Groups. @default 100, at most 1000 */
  readonly limit?: number | undefined;
}

export interface JobFeedPage {
  readonly groups: readonly FinishedGroup[];
  /** No more groups will follow, unless simulations are added or retried. */
  readonly is_finished: boolean;
}

export interface FinishedGroup {
  /** Numbered from 1 within the job, without gaps. */
  readonly position: number;
  /** Null: the group is a single simulation that has no group id. */
  readonly group_id: string | null;
  readonly finished_at: string;
  /** The last attempt of each simulation, finished or failed, in the order of simulation_id. */
  readonly environments: readonly EnvironmentRow[];
}
