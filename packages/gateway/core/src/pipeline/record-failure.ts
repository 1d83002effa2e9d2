import type { Stage } from "../call/stage.ts";
import { asCallError } from "../errors/gateway-error.ts";
import type { BoundCall } from "../recording/bound-call.ts";

/** Writes the row of a step whose answer never came, once its place on the route is free. */
export function recordFailure(): Stage<BoundCall> {
  const fail = async (call: BoundCall, error: unknown): Promise<never> => {
    const reason = asCallError(error);
    throw (await call.recording?.finish(null, reason)) ?? reason;
  };
  return (next) => (call) => next(call).catch((error: unknown) => fail(call, error));
}
