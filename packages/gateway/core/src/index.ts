export { probeEngines } from "./engine/probe/probe-engines.ts";
export { GatewayError, type GatewayErrorOptions } from "./errors/gateway-error.ts";
export { createGateway, type GatewayDependencies } from "./gateway.ts";
export type { ConsolePage } from "./http/console-page.ts";
export type { CloseReport, Gateway, GatewayAddress } from "./running-gateway.ts";
export {
  createServiceLog,
  type LogFields,
  type ServiceLog,
  type ServiceLogOptions,
} from "./service-log/service-log.ts";
export {
  createGatewayOnceStorageAnswers,
  type StartingDependencies,
} from "./starting-gateway.ts";
export { checkLive, type LiveCheck } from "./upstream/live-check.ts";
export type { LiveUpstreamOptions } from "./upstream/live-upstream.ts";
