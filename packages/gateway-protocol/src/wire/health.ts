/** Answer of `GET /healthz`. */
export interface HealthBody {
  readonly status: "ok";
}

/** `ready` comes with status 200, every other with 503. */
export type Readiness = "ready" | "starting" | "draining" | "storage_unavailable";

/** Answer of `GET /readyz`. */
export interface ReadinessBody {
  readonly status: Readiness;
  readonly storage_type: "sqlite" | "cloud";
  /** `db_url` as configured, its secrets replaced by `***`. */
  readonly storage_config: { readonly db_url: string };
  /** Negative: no step budget. */
  readonly max_steps: number;
  /** Random, stored with the schema; null until the storage has been reached. */
  readonly storage_id: string | null;
  readonly base_session_path: string;
}
