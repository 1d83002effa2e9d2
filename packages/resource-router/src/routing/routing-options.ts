import type { Hook } from "../operation/hook.ts";
import type { MissingStrategy } from "./missing-operation.ts";

/** What a router takes on every platform. */
export interface RoutingOptions {
  /** Largest body of a request that is read. @default 1048576 */
  readonly maxBodyBytes?: number;
  /** Longest time from asking for a body to its end, in milliseconds. @default 30000 */
  readonly bodyTimeoutMs?: number;
  /** Around every operation, the first one outermost. @default none */
  readonly hooks?: readonly Hook[];
  /**
   * Whether answers to GET have an entity tag of their body, unless they have another, and whether
   * `If-Match` and `If-None-Match` of `update`, `patch` and `delete` are held against what `find` would
   * be answered with. It costs a hash of each body.
   * @default false
   */
  readonly etags?: boolean;
  /** Answers what a resource does not implement. @default answerMethodNotAllowed */
  readonly missing?: MissingStrategy;
}
