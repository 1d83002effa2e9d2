import { asCallError } from "../gateway-error.ts";
import type { RequestLog } from "../request-log/request-log.ts";
import { callLogEntry } from "../telemetry/call-log-entry.ts";
import type { Call } from "./call.ts";
import type { Stage } from "./stage.ts";

/** Writes a line of the request log when the answer has settled, or when the call was refused. */
export function logRequest<C extends Call>(log: RequestLog): Stage<C> {
  return (next) => async (call) => {
    try {
      const answer = await next(call);
      void answer.settled.then(async ({ error }) => {
        log.write(callLogEntry(call, answer, (await answer.reading?.facts()) ?? null, error));
      });
      return answer;
    } catch (error) {
      log.write(callLogEntry(call, null, null, asCallError(error)));
      throw error;
    }
  };
}
