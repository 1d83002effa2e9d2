import type { Answer } from "./answer.ts";
import type { BoundCall } from "./call.ts";

/** The specification's rule 1: a model that used up its steps in a session gets a synthetic stop. */
export interface StepBudget {
  /** The stop that answers the call; null while steps are left. */
  stop(call: BoundCall): Answer | null;
}

/** @param max_steps negative: no budget */
export function createStepBudget(
  max_steps: number,
  createStop: (call: BoundCall) => Answer,
): StepBudget {
  return {
    stop: (call) => {
      if (max_steps < 0) return null;
      return call.session.tally(call.model).steps < max_steps ? null : createStop(call);
    },
  };
}
