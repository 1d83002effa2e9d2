/** Answer of `GET {session}/steps`: a page of stored steps, ordered by `id`. */
export interface StepsBody {
  readonly steps: readonly StepBody[];
  /** `after` for the next page; null at the end. */
  readonly next_after: number | null;
}

/** A row of `session_steps`. */
export interface StepBody {
  /** Increasing over all sessions and models. */
  readonly id: number;
  readonly request_id: string;
  readonly session_id: string;
  readonly model: string;
  readonly step_id: number;
  readonly status_code: number;
  readonly env_name: string | null;
  readonly job_id: string | null;
  readonly group_id: string | null;
  readonly step_reward: number | null;
  readonly reward: number | null;
  readonly is_trainable: boolean;
  readonly is_terminal: boolean;
  readonly is_truncated: boolean;
  readonly is_session_completed: boolean;
  readonly created_at: string;
  /** JSON text of an object. */
  readonly meta_json: string;
  /** Each a JSON text; null if the payload was not captured. */
  readonly request: string | null;
  readonly response: string | null;
  readonly messages: string | null;
}
