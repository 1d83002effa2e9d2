export { closestNames } from "./closest-name.ts";
export { ConfigError, type ConfigIssue } from "./config/config-error.ts";
export { loadConfig, parseConfig } from "./config/load-config.ts";
export { maskedConfig } from "./config/masked-config.ts";
export { type RouteModels, readRouteKeys, readRouteModels } from "./config/route-keys.ts";
export { configSchema } from "./config/schema/config-schema.ts";
export type { JsonSchema, JsonTypeName } from "./config/schema/json-schema.ts";
export type { Environment } from "./config/substitution.ts";
export type {
  AuthConfig,
  GatewayConfig,
  RequestLogConfig,
  RouteConfig,
  StorageConfig,
  TelemetryConfig,
  TimeoutsConfig,
} from "./config.ts";
export {
  type ErrorBody,
  type ErrorCode,
  type ErrorKind,
  type ErrorSource,
  errorKinds,
} from "./error-codes.ts";
export {
  defaultBaseSessionPath,
  type FixedPaths,
  fixedPaths,
  type GatewayPaths,
  gatewayBaseUrl,
  gatewayPaths,
  type SessionsQuery,
  type StepsQuery,
} from "./gateway-paths.ts";
export { hopByHopHeaders } from "./hop-by-hop-headers.ts";
export { maskUrl, maskUrlsInText, publicDbUrl } from "./secret-masking.ts";
export { isSessionId, longestSessionId, parseSessionId } from "./session-id.ts";
export { sessionKey, sessionKeyPrefix } from "./session-key.ts";
export type { HealthBody, Readiness, ReadinessBody } from "./wire/health.ts";
export type {
  ModelBody,
  ModelListBody,
  SessionListBody,
  SessionListItem,
} from "./wire/listings.ts";
export type {
  CleanBody,
  CloseBody,
  CloseRequestBody,
  LatestSuccessStepBody,
} from "./wire/session-coordination.ts";
export type {
  SessionCloseBody,
  SessionEnvironmentBody,
  SessionModelBody,
  SessionState,
  SessionStatusBody,
} from "./wire/session-status.ts";
export type { SimulationResult, SimulationStartRequest } from "./wire/simulation.ts";
export type { StepBody, StepsBody } from "./wire/steps.ts";
