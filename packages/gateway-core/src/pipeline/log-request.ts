import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import { whenSettled } from "../call/when-settled.ts";
import { asCallError } from "../errors/gateway-error.ts";
import { callLogEntry } from "../request-log/call-log-entry.ts";
import type { RequestLog } from "../request-log/request-log.ts";

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
