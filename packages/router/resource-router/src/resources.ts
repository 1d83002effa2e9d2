export { entityTag } from "./answer/entity-tag.ts";
export { type EventStreamOptions, eventStream, type ServerEvent } from "./answer/event-stream.ts";
export type { HeaderFields } from "./answer/header-fields.ts";
export { badRequest, notFound, Problem, type ProblemOptions } from "./answer/problem.ts";
export type { ProblemDocument } from "./answer/problem-document.ts";
export { created, noContent, type Reply, reply, updated } from "./answer/reply.ts";
export type {
  BodyContext,
  Context,
  FullContext,
  ItemContext,
  OptionsContext,
  Params,
} from "./operation/context.ts";
export { ContextValue } from "./operation/context-value.ts";
export type { ErrorListener } from "./operation/error-listener.ts";
export type { Hook } from "./operation/hook.ts";
export type { OperationName, Operations } from "./operation/operations.ts";
export { requireVersion } from "./operation/precondition.ts";
export type { RequestBody } from "./operation/request-body.ts";
export type { RequestHeaders } from "./operation/request-headers.ts";
export type { Addressed } from "./routing/dispatch.ts";
export { type Group, type GroupOptions, group } from "./routing/group.ts";
export {
  answerMethodNotAllowed,
  answerNotImplemented,
  type MissingOperation,
  type MissingStrategy,
} from "./routing/missing-operation.ts";
export type { ParamsOf } from "./routing/path-template.ts";
export { type Resource, type ResourceOptions, resource } from "./routing/resource.ts";
export type { RoutingOptions } from "./routing/routing-options.ts";
export {
  type OperationInput,
  type OperationSchemas,
  operation,
  type SchemaOperation,
} from "./schema/operation.ts";
export type { BodyOf, ResultOf } from "./schema/resource-types.ts";
export type { InputOf, OutputOf, StandardSchema } from "./schema/standard-schema.ts";
export type { ValidationError } from "./schema/validate.ts";
