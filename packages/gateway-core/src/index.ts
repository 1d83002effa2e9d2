export { createGateway, type GatewayDependencies } from "./gateway.ts";
export { GatewayError, type GatewayErrorOptions } from "./gateway-error.ts";
export type { CloseReport, Gateway, GatewayAddress } from "./running-gateway.ts";
export {
  createServiceLog,
  type LogFields,
  type ServiceLog,
  type ServiceLogOptions,
} from "./service-log/service-log.ts";
export { redact } from "./telemetry/redact.ts";
export { type RequestBody, readRequestBody } from "./telemetry/request-body.ts";
