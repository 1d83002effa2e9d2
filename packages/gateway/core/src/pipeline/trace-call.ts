import type { CallTracing } from "../tracing/call-tracing.ts";
import type { CallObserver } from "./observe-call.ts";

/** Makes a span for each forwarded call. */
export const traceCall = (tracing: CallTracing): CallObserver => ({
  begun: (call) => {
    call.trace = tracing.begin(call);
  },
  ended: (call, answer, facts, error) => call.trace?.end(answer, facts, error),
});
