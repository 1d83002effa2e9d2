import type { EnvironmentRow } from "./environment-row.ts";

export interface JobFeedQuery {
  readonly job_id: string;
  /** The `position` of the last group that is known. @default 0 */
  readonly after?: number | undefined;
  /** Groups. @default 100, at most 1000 */
  readonly limit?: number | undefined;
}

export interface JobFeedPage {
  readonly groups: readonly FinishedGroup[];
  /** Nothing comes after these groups, unless simulations are added or tried again. */
  readonly is_finished: boolean;
}

export interface FinishedGroup {
  /** From 1 on within the job, without gaps. */
  readonly position: number;
  /** Null: the one simulation in it has no group. */
  readonly group_id: string | null;
  readonly finished_at: string;
  /** The last attempt of each simulation that finished or failed, in the order of simulation_id. */
  readonly environments: readonly EnvironmentRow[];
}
