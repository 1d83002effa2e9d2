/** What a launcher sends to an agent runtime to start one simulation. */
export interface SimulationStartRequest {
  readonly session_id: string;
  readonly job_id: string;
  readonly simulation_id: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly env_name: string | null;
  readonly env_params: unknown;
  readonly group_id: string | null;
  /** The route key. */
  readonly llm_model: string;
  readonly gateway_base_url: string;
  /** The session's base URL for an ordinary SDK. */
  readonly llm_base_url: string;
  /** Must never be logged. */
  readonly llm_api_key: string | null;
}

/**
 * What cut a simulation off before its end: a spent budget after which the agent kept asking, a close by something other
 * than its launcher, its own time limit, the agent (it says so), or a last answer that reached its token limit.
 */
export type TruncationCause = "budget" | "closed" | "time_limit" | "agent" | "length";

/** What an agent runtime answers at the end of a simulation, and what its launcher adds. */
export interface SimulationResult {
  readonly session_id: string;
  readonly status: string;
  readonly total_reward: number | null;
  readonly step_count: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
  /** Null: it was not cut off. */
  readonly truncated_by: TruncationCause | null;
  readonly error_text: string | null;
  readonly metrics: Readonly<Record<string, unknown>>;
}
