export type SessionState = "active" | "closing" | "closed";

/** Answer of `GET {session}` and of close. Times are ISO 8601 UTC with milliseconds. */
export interface SessionStatusBody {
  readonly session_id: string;
  readonly status: SessionState;
  /** The environment row that the session is bound to; null if none was found. */
  readonly environment: SessionEnvironmentBody | null;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly closed_at: string | null;
  /** Null until close has begun. */
  readonly close: SessionCloseBody | null;
  /** Unanswered requests, including those that wait for a place on their route. */
  readonly in_flight: number;
  /** By route key. */
  readonly models: Readonly<Record<string, SessionModelBody>>;
  /** Steps that the session may take with each model; negative: unlimited. */
  readonly max_steps: number;
  /** Prompt and completion tokens over all models. */
  readonly tokens: number;
  /** The session's cost by the routes' prices, in nano-dollars (10^-9 US dollars). */
  readonly cost_nano_usd: number;
  /** Tokens that the session may use over all models; negative: unlimited. */
  readonly max_tokens: number;
  /** US dollars that it may cost over all models; null: unlimited. */
  readonly max_cost_usd: number | null;
  /** What the session begins from; null: it was not forked. */
  readonly fork: SessionForkBody | null;
}

/** Whose record answers a session, as `POST {session}/fork` was told. */
export interface SessionForkBody {
  readonly from: string;
  /** Whose step `step` is; null: all of the record counts. */
  readonly model: string | null;
  /** The last step that the record answers; null: the last one there is. */
  readonly step: number | null;
  readonly mode: "fork" | "replay";
  /** Members of a request that may differ from the record. */
  readonly ignore: readonly string[];
  /** Steps that the record has answered so far, over all models. */
  readonly replayed_steps: number;
}

export interface SessionEnvironmentBody {
  readonly job_id: string;
  readonly simulation_id: string;
  readonly attempt: number;
  readonly env_name: string | null;
  readonly group_id: string | null;
  readonly status: "pending" | "running" | "finished" | "failed" | "infrastructure" | "interrupted";
}

export interface SessionCloseBody {
  readonly reason: string | null;
  /** Every request ended by itself; none was cut off. */
  readonly drained: boolean;
  /** Whether every row is durable, some are still being written, or some were given up. */
  readonly telemetry: "flushed" | "pending" | "lost";
  /** Requests were cut off (the time was up, or `mode: "abort"`), or rows were still unwritten then. */
  readonly forced: boolean;
  readonly lost_rows: number;
}

export interface SessionModelBody {
  /** Forwarded requests. */
  readonly steps: number;
  readonly successes: number;
  readonly latest_success_step: number | null;
  /** It was asked once more after a budget was used up: what its caller did was cut off. */
  readonly stopped: boolean;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** In nano-dollars (10^-9 US dollars). */
  readonly cost_nano_usd: number;
  /** Steps whose usage or price is not known, so that the counts above lack them. Left out if there are none. */
  readonly unpriced_steps?: number;
}
