import type { GatewayConfig } from "@proj/gateway-protocol";
import type { SessionRegistryOptions } from "./session-registry.ts";

/** The registry's part of the configuration. @param listeners called when sessions end here */
export const registryOptions = (
  config: GatewayConfig,
  listeners: Pick<SessionRegistryOptions, "onClosed" | "onLeft" | "onMoved">,
): SessionRegistryOptions => ({
  maxSessions: config.max_sessions,
  idleTtlMs: 1_000 * config.session_idle_ttl_s,
  endsKeys: config.auth.session_secret !== null,
  closeTimeoutMs: 1_000 * config.session_close_timeout_s,
  openWithoutStorage: config.telemetry.mode === "best_effort",
  writeTimeoutMs: 1_000 * config.telemetry.write_timeout_s,
  ...listeners,
});
