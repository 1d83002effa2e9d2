export type { ErrorListener } from "./answer/answer.ts";
export type { HeaderFields } from "./answer/header-fields.ts";
export { badRequest, notFound, Problem, type ProblemOptions } from "./answer/problem.ts";
export type { ProblemDocument } from "./answer/problem-document.ts";
export { created, noContent, type Reply, reply, updated } from "./answer/reply.ts";
export type { BodyContext, Context, ItemContext, OptionsContext } from "./exchange/context.ts";
export type { RequestBody } from "./exchange/request-body.ts";
export { type Addressed, createRouter, type Router, type RouterOptions } from "./router.ts";
export { type Group, group } from "./routing/group.ts";
export {
  answerMethodNotAllowed,
  answerNotImplemented,
  type MissingOperation,
  type MissingStrategy,
} from "./routing/missing-operation.ts";
export type { OperationName, Operations } from "./routing/operations.ts";
export { type Resource, resource } from "./routing/resource.ts";
