import type { EnvironmentRow, EnvironmentStatus } from "./environment-row.ts";

export interface EnvironmentQuery {
  readonly job_id: string;
  readonly status?: EnvironmentStatus | undefined;
  /** `next_after` of the previous page. */
  readonly after?: EnvironmentKey | undefined;
  /** @default 100, at most 1000 */
  readonly limit?: number | undefined;
}

export interface EnvironmentKey {
  readonly simulation_id: string;
  readonly attempt: number;
}

export interface EnvironmentPage {
  readonly environments: readonly EnvironmentRow[];
  /** `after` for the next page; null at the end. With a `status`, an empty page may have a next one. */
  readonly next_after: EnvironmentKey | null;
}

export interface AttemptQuery {
  readonly job_id: string;
  /** `next_after` of the previous page. */
  readonly after?: EnvironmentKey | undefined;
  /** @default 100, at most 10,000 */
  readonly limit?: number | undefined;
}

export interface AttemptPage {
  readonly attempts: readonly Attempt[];
  /** `after` for the next page; null at the end. */
  readonly next_after: EnvironmentKey | null;
}

/** An attempt without what may be large: of its error, the first 500 characters. */
export type Attempt = Omit<EnvironmentRow, "env_params" | "result" | "owner" | "heartbeat_at">;

export interface UsageQuery {
  readonly job_id: string;
  /** `next_after` of the previous page. */
  readonly after?: EnvironmentKey | undefined;
}

export interface UsagePage {
  readonly attempts: readonly AttemptUsage[];
  /** `after` for the next page; null at the end. */
  readonly next_after: EnvironmentKey | null;
}

/** What an attempt's session used, summed over its rows, including failed steps. */
export interface AttemptUsage {
  readonly session_id: string;
  readonly simulation_id: string;
  readonly attempt: number;
  /** In alphabetical order. */
  readonly models: readonly string[];
  /** The number of rows, including calls that are not steps. */
  readonly calls: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** In nano-dollars (10^-9 US dollars); a step of unknown cost counts as 0. */
  readonly cost_nano_usd: number;
}

export interface JobSummary {
  readonly job_id: string;
  readonly created_at: string;
  /** When the most recent attempt ended; null: none has. */
  readonly finished_at: string | null;
  readonly simulations: number;
  readonly pending: number;
  readonly running: number;
  readonly finished: number;
  /** Simulations that ended with a failed attempt. */
  readonly failed: number;
  /** Simulations that ended with a failure of the infrastructure: they count neither as finished nor as failed. */
  readonly infrastructure: number;
  /** Attempts that failed because of the infrastructure, including those that have a later attempt. */
  readonly infrastructure_attempts: number;
  /** Attempts that were interrupted; each has a later attempt. */
  readonly interrupted_attempts: number;
  /** The mean over finished simulations; null: none has a reward. */
  readonly mean_reward: number | null;
}
