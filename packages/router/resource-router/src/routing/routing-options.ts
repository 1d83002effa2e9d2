import type { Hook } from "../operation/hook.ts";
import type { MissingStrategy } from "./missing-operation.ts";

/** Options of a router on every platform. */
export interface RoutingOptions {
  /** Largest request body. @default 1048576 */
  readonly maxBodyBytes?: number;
  /** Longest time from the first read of a body to its end, in milliseconds. @default 30000 */
  readonly bodyTimeoutMs?: number;
  /** Run around every operation, the first one outermost. @default none */
  readonly hooks?: readonly Hook[];
  /**
   * Whether answers to GET get an entity tag of their body, unless they have one, and the preconditions of `update`,
   * `patch` and `delete` are compared with what `find` would answer. It costs a hash of each body.
   * @default false
   */
  readonly etags?: boolean;
  /** Answers missing operations. @default answerMethodNotAllowed */
  readonly missing?: MissingStrategy;
}
