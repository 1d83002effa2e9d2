import type { AnswerFacts } from "../bodies/answer-facts.ts";
import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import { whenSettled } from "../call/when-settled.ts";
import { asCallError, type CallError } from "../errors/gateway-error.ts";
import { callLogEntry } from "../request-log/call-log-entry.ts";
import type { RequestLog } from "../request-log/request-log.ts";

/** Writes a line to the request log when the answer has settled, or when the call was refused. */
export function logRequest<C extends Call>(log: RequestLog): Stage<C> {
  const write = (
    call: C,
    answer: Answer | null,
    facts: AnswerFacts | null,
    error: CallError | null,
  ) => log.write(callLogEntry(call, answer, facts, error, log.bodyLimit));
  return (next) => async (call) => {
    try {
      const answer = await next(call);
      whenSettled(answer, (facts, error) => write(call, answer, facts, error));
      return answer;
    } catch (error) {
      write(call, null, null, asCallError(error));
      throw error;
    }
  };
}
