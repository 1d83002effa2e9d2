import type { RunningCalls } from "../call/running-calls.ts";
import type { Stage } from "../call/stage.ts";
import type { BoundCall } from "../recording/bound-call.ts";

/** Shows the call, and its answer as it arrives, to the followers of its session. */
export function showRunning(calls: RunningCalls): Stage<BoundCall> {
  return (next) => async (call) => {
    const { running, leave } = calls.add(call);
    try {
      const answer = await next(call);
      running.answer = answer;
      answer.settled.when(leave);
      return answer;
    } catch (error) {
      leave();
      throw error;
    }
  };
}
