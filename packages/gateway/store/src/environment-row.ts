export interface EnvironmentRow {
  readonly session_id: string;
  readonly job_id: string;
  readonly simulation_id: string;
  readonly attempt: number;
  readonly env_name: string | null;
  /** JSON text. */
  readonly env_params: string | null;
  readonly group_id: string | null;
  readonly status: EnvironmentStatus;
  readonly reward: number | null;
  /** JSON text. */
  readonly result: string | null;
  readonly error: string | null;
  readonly owner: string | null;
  readonly heartbeat_at: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** `infrastructure`: it failed, and not because of its agent or its model. */
export type EnvironmentStatus =
  | "pending"
  | "running"
  | "finished"
  | "failed"
  | "infrastructure"
  | "interrupted";
