import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RequestLog } from "../request-log/request-log.ts";
import type { CallTracing } from "../tracing/call-tracing.ts";
import { countCall } from "./count-call.ts";
import { logRequest } from "./log-request.ts";
import { traceCall } from "./trace-call.ts";

export interface CallObservers {
  readonly requestLog: RequestLog;
  /** Null if calls are not traced. */
  readonly tracing: CallTracing | null;
  readonly metrics: Metrics;
}

/** The stages that only observe: log line, span, counts. */
export function observeCall<C extends Call>(observers: CallObservers): Stage<C>[] {
  const { requestLog, tracing, metrics } = observers;
  return [
    ...(requestLog.enabled ? [logRequest<C>(requestLog)] : []),
    ...(tracing === null ? [] : [traceCall<C>(tracing)]),
    countCall<C>(metrics),
  ];
}
