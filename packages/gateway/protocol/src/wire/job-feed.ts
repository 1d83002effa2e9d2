/**
 * Answer of `GET /v1/jobs/{id}/feed`: the groups whose simulations have all ended, in the order in which they
 * did.
 */
export interface JobFeedBody {
  readonly job_id: string;
  readonly groups: readonly FinishedGroupBody[];
  /** `after` for the next page: store it once these groups are processed. */
  readonly next_after: number;
  /** Nothing follows this page, unless simulations are added or retried. */
  readonly is_finished: boolean;
}

export interface FinishedGroupBody {
  /** Counts from 1 within the job, without gaps. */
  readonly position: number;
  /** Null: its only simulation has no group. */
  readonly group_id: string | null;
  readonly finished_at: string;
  /** The last attempt of each simulation. */
  readonly rollouts: readonly RolloutBody[];
}

/** An attempt that has ended; its steps are at `GET {session}/steps`. */
export interface RolloutBody {
  readonly session_id: string;
  readonly simulation_id: string;
  readonly attempt: number;
  readonly env_name: string | null;
  /** JSON text. */
  readonly env_params: string | null;
  readonly status: "finished" | "failed";
  readonly reward: number | null;
  /** Why it failed. */
  readonly error: string | null;
}
