import { callLogEntry } from "../request-log/call-log-entry.ts";
import type { RequestLog } from "../request-log/request-log.ts";
import type { CallObserver } from "./observe-call.ts";

/** Writes a line to the request log for each call, refused ones included. */
export const logRequest = (log: RequestLog): CallObserver => ({
  ended: (call, answer, facts, error) =>
    log.write(callLogEntry(call, answer, facts, error, log.bodyLimit)),
});
