import {
  type GatewayConfig,
  publicDbUrl,
  type Readiness,
  type ReadinessBody,
  type ReadinessWarning,
} from "@proj/gateway-protocol";

/** The body of `/readyz`. @param storage_id null until storage has been reached */
export function readinessBody(
  config: GatewayConfig,
  status: Readiness,
  storage_id: string | null,
  warnings: readonly ReadinessWarning[] = [],
): ReadinessBody {
  return {
    status,
    storage_type: config.storage_type,
    storage_config: { db_url: publicDbUrl(config.storage_config.db_url) },
    max_steps: config.max_steps,
    storage_id,
    base_session_path: config.base_session_path,
    telemetry_mode: config.telemetry.mode,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}
