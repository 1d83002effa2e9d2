import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";

/** Answers a call, or throws a CallError. */
export type Handler<C extends Call> = (call: C) => Promise<Answer>;

/** One concern of the pipeline, wrapped around everything that comes after it. */
export type Stage<C extends Call> = (next: Handler<C>) => Handler<C>;

/** Wraps the stages around a handler, the first one outermost. */
export function compose<C extends Call>(
  stages: readonly Stage<C>[],
  handler: Handler<C>,
): Handler<C> {
  return stages.reduceRight((next, stage) => stage(next), handler);
}

/** A call that is being answered. */
export interface RunningCall {
  readonly call: Call;
  /** Null until the headers have come. */
  answer: Answer | null;
}
