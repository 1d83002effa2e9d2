import type { EnvironmentRow } from "./environment-row.ts";

export interface JobFeedQuery {
  readonly job_id: string;
  /** The `position` of the last known group. @default 0 */
  readonly after?: number | undefined;
  /** Groups. @default 100, at most 1000 */
  readonly limit?: number | undefined;
  /** Whether groups have the simulations that ended with a failure of the infrastructure. @default false */
  readonly include_infrastructure?: boolean | undefined;
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
  /**
   * The last attempt of each simulation, finished or failed, in the order of simulation_id. Simulations that ended with
   * a failure of the infrastructure are left out, unless the query includes them.
   */
  readonly environments: readonly EnvironmentRow[];
}
