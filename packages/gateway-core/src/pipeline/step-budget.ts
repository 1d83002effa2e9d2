import type { Answer } from "../call/answer.ts";
import type { BoundCall } from "../recording/bound-call.ts";
import { createSyntheticStop } from "./synthetic-stop.ts";

/** docs/interfaces.md, "Gateway: endpoints", 1: a model that used up its steps in a session gets a synthetic stop. */
export interface StepBudget {
  /** The stop that answers the call; null while steps are left, and where the call takes none. */
  stop(call: BoundCall): Answer | null;
}

/** @param max_steps negative: no budget */
export function createStepBudget(max_steps: number): StepBudget {
  return {
    stop: (call) => {
      const { writeStop } = call.endpoint;
      const budget = smaller(max_steps, call.maxSteps);
      if (budget < 0 || writeStop === null) return null;
      // A retry takes the place of the step that it repeats.
      const spent = call.session.tally(call.model).spent - (call.retry === null ? 0 : 1);
      const isSpent = spent >= budget;
      return isSpent ? createSyntheticStop(call, writeStop) : null;
    },
  };
}

/** The gateway's budget, or the key's where that is less. */
function smaller(max_steps: number, ofKey: number | null): number {
  if (ofKey === null) return max_steps;
  return max_steps < 0 ? ofKey : Math.min(max_steps, ofKey);
}
