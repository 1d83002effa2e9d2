import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import { whenSettled } from "../call/when-settled.ts";
import { asCallError } from "../errors/gateway-error.ts";
import type { CallTracing } from "../tracing/call-tracing.ts";

/** Makes a span for each forwarded call, ended when its answer has settled. */
export function traceCall<C extends Call>(tracing: CallTracing): Stage<C> {
  return (next) => async (call) => {
    const span = tracing.begin(call);
    call.trace = span;
    try {
      const answer = await next(call);
      if (answer.upstream !== null)
        whenSettled(answer, (facts, error) => span.end(answer, facts, error));
      return answer;
    } catch (error) {
      span.end(null, null, asCallError(error));
      throw error;
    }
  };
}
