import type { GatewayConfig } from "@proj/gateway-protocol";
import type { SessionRegistryOptions } from "./session-registry.ts";

/** What a configuration says of sessions. */
export function registryOptions(config: GatewayConfig): SessionRegistryOptions {
  return {
    maxSessions: config.max_sessions,
    idleTtlMs: 1_000 * config.session_idle_ttl_s,
    closeTimeoutMs: 1_000 * config.session_close_timeout_s,
    openWithoutStorage: config.telemetry.mode === "best_effort",
    writeTimeoutMs: 1_000 * config.telemetry.write_timeout_s,
  };
}
