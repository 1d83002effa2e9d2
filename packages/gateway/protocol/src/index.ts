export {
  ConfigError,
  type ConfigIssue,
  closestNames,
  type Environment,
  isSecretName,
  type JsonSchema,
  type JsonTypeName,
  maskUrl,
  maskUrlsInText,
  publicDbUrl,
} from "@proj/program/configuration";
export {
  type AgentEvent,
  type PermissionEvent,
  type PlanEntry,
  type PlanEvent,
  readAgentEvents,
  type ToolCallEvent,
  type TurnEvent,
} from "./agent-events.ts";
export { loadConfig, parseConfig } from "./config/load-config.ts";
export { maskedConfig } from "./config/masked-config.ts";
export { questionableSettings } from "./config/questionable.ts";
export { type RouteModels, readRouteKeys, readRouteModels } from "./config/route-keys.ts";
export { configSchema } from "./config/schema/config-schema.ts";
export type {
  AuthConfig,
  GatewayConfig,
  KeptHistory,
  OpenTelemetryConfig,
  PriceConfig,
  RequestLogConfig,
  RouteConfig,
  SessionKeyLimitsConfig,
  SideCallRule,
  SideCallsConfig,
  StorageConfig,
  TelemetryConfig,
  TieredPrices,
  TimeoutsConfig,
  TokenPrices,
} from "./config.ts";
export {
  type ErrorBody,
  type ErrorCode,
  type ErrorKind,
  type ErrorSource,
  errorKinds,
  sourceOfStatus,
} from "./error-codes.ts";
export {
  type CauseSigns,
  causeOfFailure,
  causeSigns,
  type FailureCause,
  otherCause,
} from "./failure-causes.ts";
export {
  defaultBaseSessionPath,
  type FixedPaths,
  fixedPaths,
  type GatewayPaths,
  gatewayBaseUrl,
  gatewayPaths,
  type JobFeedQuery,
  type SessionsQuery,
  type StepsQuery,
} from "./gateway-paths.ts";
export { hopByHopHeaders } from "./hop-by-hop-headers.ts";
export { everyPosition, type MemberPath, parseMemberPath } from "./member-path.ts";
export { SecretMask } from "./secret-mask.ts";
export { isSessionId, maxSessionId, parseSessionId } from "./session-id.ts";
export {
  readSessionKey,
  type SessionKeyScope,
  type SignedScope,
  sessionKey,
  sessionKeyPrefix,
} from "./session-key.ts";
export type { EngineLogprobsBody, UpstreamLogprobs } from "./wire/engine-logprobs.ts";
export type {
  EngineCheck,
  EngineFinding,
  EngineProbeBody,
  ProbedEngine,
} from "./wire/engine-probe.ts";
export type { HealthBody, Readiness, ReadinessBody, ReadinessWarning } from "./wire/health.ts";
export type { FinishedGroupBody, JobFeedBody, RolloutBody } from "./wire/job-feed.ts";
export type {
  AnthropicModelBody,
  AnthropicModelListBody,
  ModelBody,
  ModelListBody,
  SessionListBody,
  SessionListItem,
} from "./wire/listings.ts";
export type {
  OverviewBody,
  ReplicaOverview,
  RouteOverview,
  RouteTraffic,
  StorageOverview,
} from "./wire/overview-body.ts";
export type {
  PauseRouteBody,
  ReloadBody,
  ResumeRouteBody,
  RouteListBody,
  RouteStatusBody,
} from "./wire/routes.ts";
export type {
  CleanBody,
  CloseBody,
  CloseRequestBody,
  ForkBody,
  ForkRequestBody,
  LatestSuccessStepBody,
} from "./wire/session-coordination.ts";
export type {
  SessionCloseBody,
  SessionEnvironmentBody,
  SessionForkBody,
  SessionModelBody,
  SessionState,
  SessionStatusBody,
} from "./wire/session-status.ts";
export type {
  SimulationResult,
  SimulationStartRequest,
  TruncationCause,
} from "./wire/simulation.ts";
export type { StepBody, StepsBody } from "./wire/steps.ts";
