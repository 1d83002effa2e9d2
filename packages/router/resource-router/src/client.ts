export type { ProblemDocument } from "./answer/problem-document.ts";
export type { Answer } from "./client/answer.ts";
export type { CallOptions, ClientOptions } from "./client/call.ts";
export { RequestFailedError } from "./client/request-failed-error.ts";
export {
  type ClientOf,
  type Created,
  createResourceClient,
  type ResourceClient,
  type ResourceClientOptions,
} from "./client/resource-client.ts";
