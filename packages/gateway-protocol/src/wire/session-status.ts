export type SessionState = "active" | "closing" | "closed";

/** Answer of `GET {session}` and of close. Times are ISO 8601 UTC with milliseconds. */
export interface SessionStatusBody {
  readonly session_id: string;
  readonly status: SessionState;
  /** The environment row that the session is bound to; null: none was found. */
  readonly environment: SessionEnvironmentBody | null;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly closed_at: string | null;
  /** Null until close has begun. */
  readonly close: SessionCloseBody | null;
  /** Requests not yet answered, those that wait for a place on their route included. */
  readonly in_flight: number;
  /** By route key. */
  readonly models: Readonly<Record<string, SessionModelBody>>;
  /** Steps that the session may take with each model; negative: any number. */
  readonly max_steps: number;
  /** Prompt and completion tokens over all models. */
  readonly tokens: number;
  /** What the session cost by the routes' prices, in nano-dollars (10^-9 US dollars). */
  readonly cost_nano_usd: number;
  /** Tokens that the session may use over all models; negative: any number. */
  readonly max_tokens: number;
  /** US dollars that it may cost over all models; null: any amount. */
  readonly max_cost_usd: number | null;
}

export interface SessionEnvironmentBody {
  readonly job_id: string;
  readonly simulation_id: string;
  readonly attempt: number;
  readonly env_name: string | null;
  readonly group_id: string | null;
  readonly status: "pending" | "running" | "finished" | "failed" | "interrupted";
}

export interface SessionCloseBody {
  readonly reason: string | null;
  /** Every request came to its own end; none was cut off. */
  readonly drained: boolean;
  /** Whether every row is durable, some are still to be written, or some were given up. */
  readonly telemetry: "flushed" | "pending" | "lost";
  /** Requests were cut off (the time was up, or `mode: "abort"`), or rows were still unwritten then. */
  readonly forced: boolean;
  readonly lost_rows: number;
}

export interface SessionModelBody {
  /** Requests that were forwarded. */
  readonly steps: number;
  readonly successes: number;
  readonly latest_success_step: number | null;
  /** The model's step budget is used up, or a budget of the session over all models. */
  readonly stopped: boolean;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** In nano-dollars (10^-9 US dollars). */
  readonly cost_nano_usd: number;
}
