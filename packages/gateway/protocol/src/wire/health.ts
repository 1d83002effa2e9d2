/** Answer of `GET /healthz`. */
export interface HealthBody {
  readonly status: "ok";
}

/**
 * `ready` comes with status 200, all others with 503. `storage_replaced`: the database file was removed,
 * replaced or lost its WAL while in use; only the right file in its place ends that.
 */
export type Readiness =
  | "ready"
  | "starting"
  | "draining"
  | "storage_unavailable"
  | "storage_replaced";

export interface ReadinessWarning {
  readonly code: "low_disk_space";
  readonly message: string;
}

/** Answer of `GET /readyz`. */
export interface ReadinessBody {
  readonly status: Readiness;
  readonly storage_type: "sqlite" | "cloud";
  /** `db_url` as configured, its secrets replaced by `***`. */
  readonly storage_config: { readonly db_url: string };
  /** Negative: no step budget. */
  readonly max_steps: number;
  /** Random, stored with the schema; null until storage has been reached. */
  readonly storage_id: string | null;
  readonly base_session_path: string;
  /** Where the console's page is; missing if this gateway serves none. */
  readonly console_path?: string;
  /** Conditions that will make storage refuse rows unless somebody acts; missing if there are none. */
  readonly warnings?: readonly ReadinessWarning[];
  /** With `best_effort` the gateway serves model requests even while `storage_unavailable`. */
  readonly telemetry_mode: "strict" | "best_effort";
}
