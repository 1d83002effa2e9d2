import type { RunningCall, Stage } from "../call/stage.ts";
import type { BoundCall } from "../recording/bound-call.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { StepBudget } from "./step-budget.ts";

/**
 * Takes a place among the session's requests in flight, which the session's close waits for and its
 * followers see. The session is already loaded; whether it is open is decided in this turn of the event loop.
 */
export function openSession(registry: SessionRegistry, budget: StepBudget): Stage<BoundCall> {
  return (next) => async (call) => {
    const running: RunningCall = { call, answer: null };
    const leave = registry.enter(call.session, call.cancellation, running);
    try {
      const answer = budget.stop(call) ?? (await next(call));
      running.answer = answer;
      answer.settled.when(leave);
      return answer;
    } catch (error) {
      leave();
      throw error;
    }
  };
}
