import { asCallError } from "../gateway-error.ts";
import type { RequestLog } from "../request-log/request-log.ts";
import { callLogEntry } from "../telemetry/call-log-entry.ts";
import type { Call } from "./call.ts";
import type { Stage } from "./stage.ts";
import { whenSettled } from "./when-settled.ts";

/** Writes a line of the request log when the answer has settled, or when the call was refused. */
export function logRequest<C extends Call>(log: RequestLog): Stage<C> {
  return (next) => async (call) => {
    try {
      const answer = await next(call);
      whenSettled(answer, (facts, error) => log.write(callLogEntry(call, answer, facts, error)));
      return answer;
    } catch (error) {
      log.write(callLogEntry(call, null, null, asCallError(error)));
      throw error;
    }
  };
}
