import type { Evaluator } from "./evaluator.ts";
import { EvaluatorError } from "./evaluator-error.ts";

/** Uses the runtime's own `total_reward` as the score. */
export const resultEvaluator: Evaluator = {
  description: "the runtime's own total_reward",
  evaluate: async ({ result }, { signal }) => {
    signal.throwIfAborted();
    if (result.total_reward !== null) return { score: result.total_reward, details: {} };
    throw new EvaluatorError(
      "no_total_reward",
      `the result of session ${result.session_id} has no total_reward; let the runtime answer one, or choose an evaluator`,
    );
  },
};
