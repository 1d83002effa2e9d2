import {
  type GatewayConfig,
  publicDbUrl,
  type Readiness,
  type ReadinessBody,
  type ReadinessWarning,
} from "@proj/gateway-protocol";

interface ReadinessFacts {
  readonly warnings?: readonly ReadinessWarning[];
  /** Null: no console is served. */
  readonly console_path?: string | null;
}

/** The body of `/readyz`. @param storage_id null until storage has been reached */
export function readinessBody(
  config: GatewayConfig,
  status: Readiness,
  storage_id: string | null,
  { warnings = [], console_path = null }: ReadinessFacts = {},
): ReadinessBody {
  return {
    status,
    storage_type: config.storage_type,
    storage_config: { db_url: publicDbUrl(config.storage_config.db_url) },
    max_steps: config.max_steps,
    storage_id,
    base_session_path: config.base_session_path,
    telemetry_mode: config.telemetry.mode,
    ...(console_path === null ? {} : { console_path }),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}
