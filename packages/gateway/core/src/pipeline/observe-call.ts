import type { AnswerFacts } from "@proj/model-apis";
import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import { whenSettled } from "../call/when-settled.ts";
import { asCallError, type CallError } from "../errors/gateway-error.ts";

/** Reports calls, and changes nothing about them. */
export interface CallObserver {
  begun?(call: Call): void;
  /**
   * Nothing of the call is left.
   * @param answer null: it got none
   * @param facts what was read from the answer
   * @param error why it got none, or how the answer failed
   */
  ended(
    call: Call,
    answer: Answer | null,
    facts: AnswerFacts | null,
    error: CallError | null,
  ): void;
}

/**
 * Tells the observers, in their order, how each call ended; after that, the call no longer needs its body. One stage
 * for all, as each stage costs a promise.
 */
export function observeCall<C extends Call>(observers: readonly CallObserver[]): Stage<C> {
  const ended: CallObserver["ended"] = (call, answer, facts, error) => {
    for (const observer of observers) observer.ended(call, answer, facts, error);
    call.memory.release();
  };
  return (next) => async (call) => {
    for (const observer of observers) observer.begun?.(call);
    try {
      const answer = await next(call);
      whenSettled(answer, (facts, error) => ended(call, answer, facts, error));
      return answer;
    } catch (error) {
      ended(call, null, null, asCallError(error));
      throw error;
    }
  };
}
