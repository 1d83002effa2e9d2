import type { Call } from "./call.ts";
import type { Handler, Stage } from "./stage.ts";

/** Wraps the stages around a handler, the first one outermost. */
export function compose<C extends Call>(
  stages: readonly Stage<C>[],
  handler: Handler<C>,
): Handler<C> {
  return stages.reduceRight((next, stage) => stage(next), handler);
}
